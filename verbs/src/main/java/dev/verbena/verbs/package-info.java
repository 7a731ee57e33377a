/**
 * RDMA verbs: the objects of libibverbs as Java interfaces, its structures as values, its enums
 * with its numbers.
 *
 * <p>Names are libibverbs' without {@code ibv_}, in camel case, on the object they act on. Start at
 * {@link dev.verbena.verbs.Devices}. A call on an object that was closed, by itself or with its
 * owner, throws {@link dev.verbena.verbs.ObjectClosedException}, except for {@code close}, {@code
 * isClosed}, and methods whose description says so.
 *
 * <table>
 *   <caption>Concurrent use by several threads</caption>
 *   <tr><th>What</th><th>Several threads at once</th></tr>
 *   <tr>
 *     <td>Objects of a device: contexts, domains, regions, windows, queue pairs, completion queues,
 *     channels, shared receive queues, work queues, indirection tables, flows, XRC domains, address
 *     handles, device memory</td>
 *     <td>Yes, every method, including close, with the exceptions below.</td>
 *   </tr>
 *   <tr>
 *     <td>Posting between {@link dev.verbena.verbs.QueuePairEx#wrStart()} and {@code
 *     wrComplete}</td>
 *     <td>Other threads that post sends to the queue pair or bind windows wait; receives are posted
 *     meanwhile. Only the thread that began may continue
 *     and end it, or one that took over with {@link dev.verbena.verbs.QueuePairEx#resumeWr()}: in
 *     any other thread the builders, setters, wrComplete and wrAbort throw
 *     IllegalStateException.</td>
 *   </tr>
 *   <tr>
 *     <td>Polling between {@link dev.verbena.verbs.CompletionQueueEx#startPoll()} and {@code
 *     endPoll}</td>
 *     <td>Other threads that poll the queue wait. Only the thread that began may read and end it,
 *     or one that took over with {@link dev.verbena.verbs.CompletionQueueEx#resumePoll()}: in any
 *     other thread nextPoll and endPoll throw IllegalStateException, and the readers must not be
 *     called.</td>
 *   </tr>
 *   <tr>
 *     <td>Queue pairs and work queues of a {@link dev.verbena.verbs.ParentDomain} with a {@link
 *     dev.verbena.verbs.ThreadDomain}</td>
 *     <td>No: only one thread at a time may post to or modify it; nothing waits. Devices of
 *     libibverbs throw IllegalStateException where they see it.</td>
 *   </tr>
 *   <tr>
 *     <td>A {@link dev.verbena.verbs.CompletionQueueEx} with such a parent domain, or with {@link
 *     dev.verbena.verbs.CreateCqFlags#SINGLE_THREADED}</td>
 *     <td>No: only one thread at a time may poll; nothing waits.</td>
 *   </tr>
 *   <tr>
 *     <td>Queue pairs and work queues of a parent domain without thread domain; shared receive
 *     queues of any domain</td>
 *     <td>Yes, as with a plain protection domain.</td>
 *   </tr>
 *   <tr>
 *     <td>Values: work requests, elements, completions, attributes</td>
 *     <td>No: a mutable value belongs to one thread at a time.</td>
 *   </tr>
 * </table>
 *
 * <p>Numbers that are unsigned in C, such as keys, queue pair numbers and {@code max_mr_size}, have
 * the same bits in an {@code int} or a {@code long}, and may be negative: compare them by {@code
 * Integer.compareUnsigned} and {@code Long.compareUnsigned}. Lengths in bytes are longs.
 *
 * <p>The underlying rules are in the folder docs/spec of the sources; each test names the rules
 * that it proves.
 */
@NullMarked
package dev.verbena.verbs;

import org.jspecify.annotations.NullMarked;
