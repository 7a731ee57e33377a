/*
 * A program for Gloo's ibverbs transport that checks all it receives; the processes find each other by
 * files in a folder.
 *   gloo FOLDER SIZE RANK [ROUNDS]
 * Each prints "all data right" at its end.
 *
 * Nothing is ever destroyed: Gloo's buffers end the process if their last send is not acknowledged
 * when they go, and nothing in its interface waits for that.
 */
#include <gloo/allgather.h>
#include <gloo/allreduce_ring.h>
#include <gloo/allreduce_halving_doubling.h>
#include <gloo/barrier_all_to_all.h>
#include <gloo/broadcast_one_to_all.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/file_store.h>
#include <gloo/rendezvous/prefix_store.h>
#include <gloo/transport/ibverbs/device.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace {

using Value = std::int64_t;

void must(bool right, const char *what, size_t at) {
  if (!right) {
    std::cerr << "wrong data: " << what << ", at " << at << std::endl;
    std::exit(1);
  }
}

template <typename Algorithm>
void add(const std::shared_ptr<gloo::rendezvous::Context> &context, size_t length, int rounds,
         const char *what) {
  auto &data = *new std::vector<Value>(length);
  std::vector<Value *> pointers{data.data()};
  auto &algorithm = *new Algorithm(context, pointers, static_cast<int>(length));
  for (int round = 0; round < rounds; round++) {
    for (size_t i = 0; i < length; i++)
      data[i] = (context->rank + 1) * static_cast<Value>(i + round);
    algorithm.run();
    Value ranks = context->size * (context->size + 1) / 2;
    for (size_t i = 0; i < length; i++)
      must(data[i] == ranks * static_cast<Value>(i + round), what, i);
  }
}

void broadcast(const std::shared_ptr<gloo::rendezvous::Context> &context, size_t length,
               int rounds) {
  auto &data = *new std::vector<Value>(length);
  std::vector<Value *> pointers{data.data()};
  auto &algorithm =
      *new gloo::BroadcastOneToAll<Value>(context, pointers, static_cast<int>(length), 0);
  for (int round = 0; round < rounds; round++) {
    for (size_t i = 0; i < length; i++)
      data[i] = context->rank == 0 ? static_cast<Value>(i * 7 + round) : -1;
    algorithm.run();
    for (size_t i = 0; i < length; i++)
      must(data[i] == static_cast<Value>(i * 7 + round), "a broadcast", i);
  }
}

}  // namespace

int main(int argc, char **argv) {
  if (argc < 4) {
    std::cerr << "usage: gloo FOLDER SIZE RANK [ROUNDS]" << std::endl;
    return 2;
  }
  int size = std::atoi(argv[2]), rank = std::atoi(argv[3]);
  int rounds = argc > 4 ? std::atoi(argv[4]) : 5;
  gloo::transport::ibverbs::attr attr;
  attr.name = "";
  attr.port = 1;
  attr.index = 0;
  auto device = gloo::transport::ibverbs::CreateDevice(attr);
  gloo::rendezvous::FileStore files(argv[1]);
  auto context = std::make_shared<gloo::rendezvous::Context>(rank, size);
  context->connectFullMesh(files, device);
  for (size_t length : {1, 100, 4099, 200000}) {
    add<gloo::AllreduceRing<Value>>(context, length, rounds, "a sum round the ring");
    add<gloo::AllreduceHalvingDoubling<Value>>(context, length, rounds, "a sum by halves");
    broadcast(context, length, rounds);
  }
  auto &barrier = *new gloo::BarrierAllToAll(context);
  barrier.run();
  // A device goes with its process, and others may still wait for its acknowledgements.
  files.set("done" + std::to_string(rank), {'y'});
  std::vector<std::string> all;
  for (int each = 0; each < size; each++)
    all.push_back("done" + std::to_string(each));
  files.wait(all, std::chrono::seconds(30));
  std::cout << "all data right: rank " << rank << " of " << size << ", on " << device->str()
            << std::endl;
  std::quick_exit(0);
}
