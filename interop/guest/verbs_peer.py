#!/usr/bin/env python3
"""The other end of the interop tests: an RC or UD endpoint on rdma_rxe, driven over TCP.

It runs in the guest; or beside it, on our software device by the drop-in. Every TCP connection
owns one endpoint (context, PD, CQ, memory region, QP) and sends one command a line; each command
gets one line back. interop/README.md defines the commands. Needs pyverbs 44 or later.

usage: verbs_peer.py [--device rxe0] [--interface eth0] [--address 0.0.0.0] [--port 18600]
It prints "listening ADDRESS PORT" once it can be reached, and serves until it is killed.
"""
import argparse
import ctypes
import errno
import ipaddress
import mmap
import random
import re
import socket
import socketserver
import struct
import time
import zlib

import pyverbs.enums as e
from pyverbs.addr import AH, AHAttr, GID, GlobalRoute
from pyverbs.cq import CQ
from pyverbs.device import Context
from pyverbs.mr import MR, MW, MWBindInfo
from pyverbs.pd import PD
from pyverbs.pyverbs_error import PyverbsError
from pyverbs.qp import QP, QPAttr, QPCap, QPEx, QPInitAttr, QPInitAttrEx
from pyverbs.wr import RecvWR, SendWR, SGE

PORT_NUM = 1
KERNEL_WC_WITH_INVALIDATE = 4
MAX_SGE = 16
IDLE_SECONDS = 900  # a connection that says nothing for so long is given up

ACCESS = {
    "lw": e.IBV_ACCESS_LOCAL_WRITE,
    "rw": e.IBV_ACCESS_REMOTE_WRITE,
    "rr": e.IBV_ACCESS_REMOTE_READ,
    "ra": e.IBV_ACCESS_REMOTE_ATOMIC,
    "mw": e.IBV_ACCESS_MW_BIND,
    "fg": 1 << 8,  # FLUSH_GLOBAL and FLUSH_PERSISTENT, which pyverbs 44 does not name
    "fp": 1 << 9,
}
TYPES = {"rc": e.IBV_QPT_RC, "ud": e.IBV_QPT_UD}
# What ibv_post_send cannot send: the bits of send_ops_flags, and those of ibv_wr_flush.
OPS = {"flush": 1 << 11, "atomic_write": 1 << 12}
FLUSH_TYPES = {"global": 1, "persistent": 2}
FLUSH_LEVELS = {"range": 0, "mr": 1}
SEND_FLAGS = {
    "signaled": e.IBV_SEND_SIGNALED,
    "solicited": e.IBV_SEND_SOLICITED,
    "fence": e.IBV_SEND_FENCE,
    "inline": e.IBV_SEND_INLINE,
}
STATES = {
    "reset": e.IBV_QPS_RESET,
    "sqd": e.IBV_QPS_SQD,
    "err": e.IBV_QPS_ERR,
}
MTUS = {256: 1, 512: 2, 1024: 3, 2048: 4, 4096: 5}  # bytes to enum ibv_mtu
MTU_BYTES = {number: size for size, number in MTUS.items()}

libibverbs = ctypes.CDLL("libibverbs.so.1", use_errno=True)


class CommandError(ValueError):
    """A command that makes no sense; its text goes back to the other side."""


class Args:
    """The key=value words of one command. A word that nothing asked for is an error."""

    def __init__(self, words):
        self._values = {}
        for word in words:
            key, equals, value = word.partition("=")
            if not equals or key in self._values:
                raise CommandError(f"expected key=value once each, got '{word}'")
            self._values[key] = value
        self._unused = set(self._values)

    def text(self, key, default=None):
        self._unused.discard(key)
        value = self._values.get(key, default)
        if value is None:
            raise CommandError(f"{key}= is missing")
        return value

    def number(self, key, default=None):
        value = self.text(key, None if default is None else str(default))
        try:
            return int(value, 0)
        except ValueError:
            raise CommandError(f"{key}={value} is not a number") from None

    def flags(self, key, table, default):
        """A comma-separated list of the table's names, '-' for none."""
        value = self.text(key, default)
        names = [] if value == "-" else value.split(",")
        unknown = [name for name in names if name not in table]
        if unknown:
            raise CommandError(f"{key}: '{unknown[0]}' is none of {', '.join(table)}")
        return sum(table[name] for name in set(names))

    def choice(self, key, table, default=None):
        value = self.text(key, default)
        if value not in table:
            raise CommandError(f"{key}: '{value}' is none of {', '.join(table)}")
        return table[value]

    def end(self):
        if self._unused:
            raise CommandError(f"unknown key {sorted(self._unused)[0]}=")


def gid_text(hex_digits):
    if not re.fullmatch(r"[0-9a-f]{32}", hex_digits):
        raise CommandError(f"gid={hex_digits} is not 32 hexadecimal digits")
    return ":".join(re.findall("....", hex_digits))


def pattern(seed, length):
    """Byte i is (seed + i + i / 251) modulo 256: neighbouring packets never look alike."""
    table = bytes(range(256)) * 2
    rows = []
    for row in range(-(-length // 251)):
        first = (seed + 252 * row) % 256
        rows.append(table[first : first + 251])
    return b"".join(rows)[:length]


class Memory:
    """A page-aligned buffer and its memory region."""

    def __init__(self, pd, length, access):
        self._map = mmap.mmap(-1, length)
        self._anchor = ctypes.c_char.from_buffer(self._map)
        self.addr = ctypes.addressof(self._anchor)
        self.length = length
        self.mr = MR(pd, length, access, address=self.addr)

    def view(self, off, length):
        if off < 0 or length < 0 or off + length > self.length:
            raise CommandError(f"off={off} len={length} exceeds the buffer of {self.length} bytes")
        return memoryview(self._map)[off : off + length]


def pointer_to_ibv_qp(qp):
    """The struct ibv_qp that a pyverbs object holds, found by its number and its type.

    What pyverbs does not offer is called in libibverbs, which wants the pointer. It is read through
    /proc/self/mem, where a wrong guess is an error and not the end.
    """
    with open("/proc/self/mem", "rb", buffering=0) as memory:
        memory.seek(id(qp))
        for (candidate,) in struct.iter_unpack("@Q", memory.read(256)):
            try:
                memory.seek(candidate)
                content = memory.read(64)
            except (OSError, OverflowError, ValueError):
                continue
            # context, qp_context, pd, send_cq, recv_cq, srq, handle, qp_num, state, qp_type
            if len(content) == 64 and struct.unpack_from("@II", content, 52)[0] == qp.qp_num:
                if struct.unpack_from("@I", content, 60)[0] == qp.qp_type:
                    return candidate
    raise CommandError("the ibv_qp of this queue pair was not found")


class LaterQPEx(QPEx):
    """With FLUSH, which pyverbs 44 lacks: called as verbs.h does it, by a pointer in ibv_qp_ex."""

    _OFFSET = 352  # behind all pointers that the struct has in 44

    def wr_flush(self, rkey, raddr, length, types, level):
        libibverbs.ibv_qp_to_qp_ex.restype = ctypes.c_void_p
        qp_ex = libibverbs.ibv_qp_to_qp_ex(ctypes.c_void_p(pointer_to_ibv_qp(self)))
        pointer = ctypes.c_void_p.from_address(qp_ex + self._OFFSET).value
        if not pointer:
            raise CommandError("this queue pair was made without FLUSH")
        self._WR_FLUSH(pointer)(qp_ex, rkey, raddr, length, types, level)

    _WR_FLUSH = ctypes.CFUNCTYPE(
        None,
        ctypes.c_void_p,
        ctypes.c_uint32,
        ctypes.c_uint64,
        ctypes.c_size_t,
        ctypes.c_uint8,
        ctypes.c_uint8,
    )


class Membership:
    """A multicast group of a queue pair, and its network interface as a member for IP."""

    interface = "eth0"  # the device's

    def __init__(self, qp, hex_gid):
        self._qp = ctypes.c_void_p(pointer_to_ibv_qp(qp))
        self._gid = ctypes.create_string_buffer(bytes.fromhex(hex_gid), 16)
        address = ipaddress.IPv6Address(self._gid.raw)
        group = address.ipv4_mapped or address
        index = struct.pack("@I", socket.if_nametoindex(self.interface))
        if group.version == 4:
            self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            any_address = bytes(4)
            request = group.packed + any_address + index
            self._socket.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, request)
        else:
            self._socket = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
            self._socket.setsockopt(
                socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, group.packed + index
            )
        self._call(libibverbs.ibv_attach_mcast, "ibv_attach_mcast")

    def _call(self, function, name):
        number = function(self._qp, self._gid, ctypes.c_uint16(0))
        if number:
            self._socket.close()
            raise CommandError(f"{name}: errno {number}")

    def close(self):
        self._call(libibverbs.ibv_detach_mcast, "ibv_detach_mcast")
        self._socket.close()


class Endpoint:
    """One queue pair and what it needs."""

    def __init__(self, device, args):
        self._closers = []
        self._device = device
        self.gid_index = args.number("gid", 1)
        length = args.number("length", 1 << 20)
        access = args.flags("access", ACCESS, "lw,rw,rr,ra,mw")
        cap = QPCap(
            max_send_wr=args.number("send_wr", 64),
            max_recv_wr=args.number("recv_wr", 64),
            max_send_sge=MAX_SGE,
            max_recv_sge=MAX_SGE,
            max_inline_data=args.number("inline", 64),
        )
        self.psn = args.number("psn", random.getrandbits(24))
        self.qkey = args.number("qkey", 0x11111111)
        self.type = args.choice("type", TYPES, "rc")
        ops = args.flags("ops", OPS, "-")
        self.ah = None
        self.last_receive = None
        self.memberships = {}
        args.end()
        try:
            self.ctx = self._own(Context(name=device))
            self.pd = self._own(PD(self.ctx))
            self.cq = self._own(CQ(self.ctx, cap.max_send_wr + cap.max_recv_wr + 1))
            self.memory = Memory(self.pd, length, access)
            self._own(self.memory.mr)
            self.qp = self._own(self._create_qp(cap, ops))
            self.description = self._describe()
        except (PyverbsError, ValueError, ArithmeticError, MemoryError):
            self.close()
            raise

    def _create_qp(self, cap, ops):
        common = dict(qp_type=self.type, scq=self.cq, rcq=self.cq, cap=cap, sq_sig_all=0)
        if not ops:
            return QP(self.pd, QPInitAttr(**common))
        mask = e.IBV_QP_INIT_ATTR_PD | e.IBV_QP_INIT_ATTR_SEND_OPS_FLAGS
        kind = QPEx if hasattr(QPEx, "wr_flush") else LaterQPEx
        return kind(
            self.ctx, QPInitAttrEx(pd=self.pd, comp_mask=mask, send_ops_flags=ops, **common)
        )

    def _own(self, resource):
        self._closers.append(resource)
        return resource

    def close(self):
        while self._closers:
            self._closers.pop().close()

    def _describe(self):
        port = self.ctx.query_port(PORT_NUM)
        gid = str(self.ctx.query_gid(PORT_NUM, self.gid_index)).replace(":", "")
        if not int(gid, 16):
            raise CommandError(f"gid={self.gid_index}: this entry of the GID table is empty")
        return dict(
            qpn=self.qp.qp_num,
            psn=self.psn,
            gid=gid,
            mtu=MTU_BYTES[port.active_mtu],
            addr=hex(self.memory.addr),
            length=self.memory.length,
            lkey=hex(self.memory.mr.lkey),
            rkey=hex(self.memory.mr.rkey),
        )

    # Connection and state

    def connect(self, args):
        """RC: connects to the peer. UD: gets ready, and aims at it."""
        attr = QPAttr(port_num=PORT_NUM)
        if self.type == e.IBV_QPT_UD:
            attr.qkey = self.qkey
            attr.sq_psn = self.psn
            self.qp.to_rts(attr)
            return self.aim(args)
        attr.qp_access_flags = args.flags("access", ACCESS, "lw,rw,rr,ra")
        attr.dest_qp_num = args.number("qpn")
        attr.rq_psn = args.number("psn")
        mtu = args.number("mtu", 1024)
        if mtu not in MTUS:
            raise CommandError(f"mtu={mtu} is none of {', '.join(map(str, MTUS))}")
        attr.path_mtu = MTUS[mtu]
        attr.max_dest_rd_atomic = args.number("dest_rd_atomic", 16)
        attr.min_rnr_timer = args.number("min_rnr_timer", 12)
        attr.sq_psn = self.psn
        attr.max_rd_atomic = args.number("rd_atomic", 16)
        attr.timeout = args.number("timeout", 14)
        attr.retry_cnt = args.number("retry", 6)
        attr.rnr_retry = args.number("rnr_retry", 6)
        attr.ah_attr = self._route(args)
        args.end()
        self.qp.to_rts(attr)
        return {}

    def _route(self, args):
        route = GlobalRoute(
            dgid=GID(gid_text(args.text("gid"))),
            sgid_index=self.gid_index,
            hop_limit=args.number("hop_limit", 64),
            traffic_class=args.number("traffic_class", 0),
        )
        return AHAttr(port_num=PORT_NUM, is_global=1, gr=route)

    # Datagrams

    def aim(self, args):
        """Where the next datagrams go."""
        route, self.remote_qpn = self._route(args), args.number("qpn")
        args.text("psn", "")
        args.end()
        self._aim(AH(self.pd, attr=route))
        return {}

    def _aim(self, ah):
        if self.ah:
            self._closers.remove(self.ah)
            self.ah.close()
        self.ah = self._own(ah)

    def aim_back(self, args):
        """Where the datagram came from that was received last, its GRH at grh= in the buffer."""
        grh = args.number("grh", 0)
        args.end()
        if self.last_receive is None:
            raise CommandError("aim_back before a receive")
        self.memory.view(grh, 40)
        address = self.memory.addr + grh
        self._aim(AH(self.pd, wc=self.last_receive, grh=address, port_num=PORT_NUM))
        self.remote_qpn = self.last_receive.src_qp
        return {}

    def join(self, args):
        gid = args.text("gid")
        args.end()
        gid_text(gid)
        self.memberships[gid] = self._own(Membership(self.qp, gid))
        return {}

    def leave(self, args):
        gid = args.text("gid")
        args.end()
        if gid not in self.memberships:
            raise CommandError(f"gid={gid}: not a member")
        membership = self.memberships.pop(gid)
        self._closers.remove(membership)
        membership.close()
        return {}

    def modify(self, args):
        state = args.choice("state", STATES)
        self.psn = args.number("psn", self.psn)
        args.end()
        self.qp.modify(QPAttr(qp_state=state), e.IBV_QP_STATE)
        return {}

    def query(self, args):
        args.end()
        attr, _ = self.qp.query(e.IBV_QP_STATE | e.IBV_QP_SQ_PSN | e.IBV_QP_RQ_PSN)
        names = ("reset", "init", "rtr", "rts", "sqd", "sqe", "err")
        return dict(state=names[attr.qp_state], sq_psn=attr.sq_psn, rq_psn=attr.rq_psn)

    def counter(self, args):
        """One of the port's hw_counters: it counts for all of the device's queue pairs."""
        name = args.text("name")
        args.end()
        if not re.fullmatch(r"[a-z_]+", name):
            raise CommandError(f"name={name} is no counter's")
        path = f"/sys/class/infiniband/{self._device}/ports/{PORT_NUM}/hw_counters/{name}"
        try:
            with open(path, encoding="ascii") as file:
                return {"value": int(file.read())}
        except FileNotFoundError:
            raise CommandError(f"name={name}: the device has no such counter") from None

    # Work requests

    def _sges(self, args):
        """off= and len= as a scatter list; sges=N cuts it into N parts."""
        off, length, parts = args.number("off", 0), args.number("len"), args.number("sges", 1)
        # pyverbs refuses an empty list for a receive, so len=0 is one element of no bytes.
        if length < 0 or not 1 <= parts <= max(length, 1):
            raise CommandError(f"len={length} cannot be cut into sges={parts} parts")
        cuts = [length * i // parts for i in range(parts + 1)]
        # The region's bounds are rxe's to check: an off= or len= beyond them is passed on.
        return [
            SGE(self.memory.addr + off + begin, end - begin, self.memory.mr.lkey)
            for begin, end in zip(cuts, cuts[1:])
        ]

    def post_recv(self, args):
        sges, wr_id, count = self._sges(args), args.number("wr_id", 0), args.number("count", 1)
        args.end()
        for i in range(count):
            self.qp.post_recv(RecvWR(wr_id=wr_id + i, sg=sges, num_sge=len(sges)))
        return {}

    def _post(self, args, opcode, complete=lambda wr: None, sges=None):
        """Posts count= work requests, with wr_id= counted up."""
        sges = self._sges(args) if sges is None else sges
        flags = args.flags("flags", SEND_FLAGS, "signaled")
        wr_id, count = args.number("wr_id", 0), args.number("count", 1)
        args.end()
        for i in range(count):
            wr = SendWR(
                wr_id=wr_id + i, opcode=opcode, sg=sges, num_sge=len(sges), send_flags=flags
            )
            complete(wr)
            if self.ah:
                wr.set_wr_ud(self.ah, self.remote_qpn, self.qkey)
            self.qp.post_send(wr)
        return wr

    def send(self, args):
        self._post(args, e.IBV_WR_SEND)
        return {}

    def send_imm(self, args):
        imm = socket.htonl(args.number("imm"))
        self._post(args, e.IBV_WR_SEND_WITH_IMM, lambda wr: setattr(wr, "imm_data", imm))
        return {}

    def send_inv(self, args):
        # imm_data and invalidate_rkey are one union in ibv_send_wr; the key stays in host order.
        key = args.number("inv_rkey")
        self._post(args, e.IBV_WR_SEND_WITH_INV, lambda wr: setattr(wr, "imm_data", key))
        return {}

    def _rdma(self, args, opcode, imm=None):
        raddr, rkey = args.number("raddr"), args.number("rkey")

        def complete(wr):
            wr.set_wr_rdma(rkey, raddr)
            if imm is not None:
                wr.imm_data = socket.htonl(imm)

        self._post(args, opcode, complete)
        return {}

    def write(self, args):
        return self._rdma(args, e.IBV_WR_RDMA_WRITE)

    def write_imm(self, args):
        return self._rdma(args, e.IBV_WR_RDMA_WRITE_WITH_IMM, args.number("imm"))

    def read(self, args):
        return self._rdma(args, e.IBV_WR_RDMA_READ)

    def _atomic(self, args, opcode, compare_add, swap):
        raddr, rkey = args.number("raddr"), args.number("rkey")
        sge = SGE(self.memory.addr + args.number("off", 0), 8, self.memory.mr.lkey)
        self._post(
            args, opcode, lambda wr: wr.set_wr_atomic(rkey, raddr, compare_add, swap), [sge]
        )
        return {}

    def cas(self, args):
        compare, swap = args.number("cmp"), args.number("swap")
        return self._atomic(args, e.IBV_WR_ATOMIC_CMP_AND_SWP, compare, swap)

    def faa(self, args):
        return self._atomic(args, e.IBV_WR_ATOMIC_FETCH_AND_ADD, args.number("add"), 0)

    # What only the extended API sends

    def _build(self, args, build):
        flags, wr_id = args.flags("flags", SEND_FLAGS, "signaled"), args.number("wr_id", 0)
        args.end()
        self.qp.wr_start()
        self.qp.wr_id, self.qp.wr_flags = wr_id, flags
        build()
        self.qp.wr_complete()
        return {}

    def flush(self, args):
        rkey, raddr, length = args.number("rkey"), args.number("raddr"), args.number("len")
        types = args.flags("type", FLUSH_TYPES, "global")
        level = args.choice("level", FLUSH_LEVELS, "range")
        return self._build(args, lambda: self.qp.wr_flush(rkey, raddr, length, types, level))

    def atomic_write(self, args):
        """Writes the 8 bytes at off=."""
        rkey, raddr = args.number("rkey"), args.number("raddr")
        data = bytes(self.memory.view(args.number("off", 0), 8))
        return self._build(args, lambda: self.qp.wr_atomic_write(rkey, raddr, data))

    # Memory windows of type 2

    def bind_mw(self, args):
        off, length = args.number("off", 0), args.number("len")
        access = args.flags("access", ACCESS, "rw,rr")
        window = self._own(MW(self.pd, e.IBV_MW_TYPE_2))
        info = MWBindInfo(self.memory.mr, self.memory.addr + off, length, access)
        wr = self._post(
            args, e.IBV_WR_BIND_MW, lambda request: request.set_bind_wr(window, info), []
        )
        return dict(rkey=hex(wr.rkey), addr=hex(self.memory.addr + off))

    def local_inv(self, args):
        key = args.number("inv_rkey")
        self._post(args, e.IBV_WR_LOCAL_INV, lambda wr: setattr(wr, "imm_data", key), [])
        return {}

    # Completions

    def poll(self, args):
        """The next completion; none=1 if timeout= milliseconds go by without one."""
        deadline = time.monotonic() + args.number("timeout", 0) / 1000
        args.end()
        while True:
            count, completions = self.cq.poll(1)
            if count:
                if completions[0].opcode & e.IBV_WC_RECV:
                    self.last_receive = completions[0]
                return self._completion(completions[0])
            if time.monotonic() >= deadline:
                return {"none": 1}
            time.sleep(0.0005)  # leaves the emulated CPU to the kernel's side of the transfer

    @staticmethod
    def _completion(wc):
        answer = dict(
            wr_id=wc.wr_id,
            status=wc.status,
            opcode=wc.opcode,
            byte_len=wc.byte_len,
            qpn=wc.qp_num,
            src_qp=wc.src_qp,
            wc_flags=wc.wc_flags,
            vendor_err=wc.vendor_err,
        )
        if wc.wc_flags & e.IBV_WC_WITH_IMM:
            answer["imm"] = hex(socket.ntohl(wc.imm_data))
        # Linux 6.1's rxe hands out the kernel's number of this flag, not that of verbs.h.
        if wc.wc_flags & (e.IBV_WC_WITH_INV | KERNEL_WC_WITH_INVALIDATE):
            answer["inv_rkey"] = hex(wc.imm_data)
        return answer

    # Buffer contents

    def fill(self, args):
        off, length, seed = args.number("off", 0), args.number("len"), args.number("seed")
        args.end()
        self.memory.view(off, length)[:] = pattern(seed, length)
        return {}

    def check(self, args):
        off, length, seed = args.number("off", 0), args.number("len"), args.number("seed")
        args.end()
        found, wanted = self.memory.view(off, length), pattern(seed, length)
        if found == wanted:
            return {"match": 1}
        at = next(i for i in range(length) if found[i] != wanted[i])
        return {"match": 0, "at": off + at, "found": hex(found[at]), "wanted": hex(wanted[at])}

    def crc(self, args):
        off, length = args.number("off", 0), args.number("len")
        args.end()
        return {"crc32": f"{zlib.crc32(self.memory.view(off, length)):08x}"}

    def peek(self, args):
        off, length = args.number("off", 0), args.number("len")
        args.end()
        return {"hex": self.memory.view(off, length).hex()}

    def poke(self, args):
        off, text = args.number("off", 0), args.text("hex")
        args.end()
        try:
            data = bytes.fromhex(text)
        except ValueError:
            raise CommandError("hex= is not pairs of hexadecimal digits") from None
        self.memory.view(off, len(data))[:] = data
        return {}


COMMANDS = {
    command.__name__: command
    for command in (
        Endpoint.connect, Endpoint.modify, Endpoint.query, Endpoint.counter,
        Endpoint.aim, Endpoint.aim_back, Endpoint.join, Endpoint.leave,
        Endpoint.flush, Endpoint.atomic_write,
        Endpoint.post_recv, Endpoint.send, Endpoint.send_imm, Endpoint.send_inv,
        Endpoint.write, Endpoint.write_imm, Endpoint.read, Endpoint.cas, Endpoint.faa,
        Endpoint.bind_mw, Endpoint.local_inv, Endpoint.poll,
        Endpoint.fill, Endpoint.check, Endpoint.crc, Endpoint.peek, Endpoint.poke,
    )
}  # fmt: skip


class Session(socketserver.StreamRequestHandler):
    """One TCP connection: at most one endpoint at a time."""

    timeout = IDLE_SECONDS
    disable_nagle_algorithm = True

    def handle(self):
        self._endpoint = None
        try:
            for line in self.rfile:
                words = line.decode("ascii", "replace").split()
                if words == ["quit"]:
                    break
                if words:
                    self.wfile.write(self._answer(words).encode() + b"\n")
        except OSError:
            pass  # the other side is gone or silent: as good as quit
        finally:
            self._close()

    def _answer(self, words):
        try:
            result = self._execute(words[0], Args(words[1:]))
        except (ValueError, ArithmeticError, MemoryError) as refused:
            # Ours, or Python's word on a number that does not fit its C type.
            return f"error errno={errno.EINVAL} text={refused}"
        except PyverbsError as failed:
            # pyverbs raises some failures without their errno: 0 then.
            number = getattr(failed, "error_code", 0)
            return f"error errno={max(number, 0)} text={' '.join(str(failed).split())}"
        return " ".join(["ok"] + [f"{key}={value}" for key, value in result.items()])

    def _execute(self, name, args):
        if name == "open":
            self._close()
            self._endpoint = Endpoint(self.server.device, args)
            return self._endpoint.description
        if name == "close":
            args.end()
            self._close()
            return {}
        if name not in COMMANDS:
            raise CommandError(f"unknown command {name}")
        if self._endpoint is None:
            raise CommandError(f"{name} before open")
        return COMMANDS[name](self._endpoint, args)

    def _close(self):
        endpoint, self._endpoint = self._endpoint, None
        if endpoint:
            endpoint.close()


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


def main():
    parser = argparse.ArgumentParser(description="Endpoints on rdma_rxe, driven over TCP")
    parser.add_argument("--device", default="rxe0")
    parser.add_argument("--interface", default="eth0")
    parser.add_argument("--address", default="0.0.0.0")
    parser.add_argument("--port", type=int, default=18600)
    options = parser.parse_args()
    with Server((options.address, options.port), Session) as server:
        server.device = options.device
        Membership.interface = options.interface
        print("listening", *server.server_address, flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
