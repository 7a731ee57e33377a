/**
 * RDMA verbs: the objects of libibverbs as Java interfaces, its structures as values, its enums
 * with its numbers.
 *
 * <p>Names are libibverbs' without {@code ibv_}, in camel case, on the object they act on. Start at
 * {@link dev.verbena.verbs.Devices}. A call on an object that was closed, by itself or with its
 * owner, throws {@link dev.verbena.verbs.ObjectClosedException}; {@code close} and {@code isClosed}
 * do not, nor do those whose description says so.
 *
 * <table>
 *   <caption>Which threads may use what at once</caption>
 *   <tr><th>What</th><th>By several threads at once</th></tr>
 *   <tr>
 *     <td>Objects of a device: contexts, domains, regions, windows, queue pairs, completion queues,
 *     channels, shared receive queues, work queues, indirection tables, flows, XRC domains, address
 *     handles</td>
 *     <td>Yes, every method, closing included, but for what follows.</td>
 *   </tr>
 *   <tr>
 *     <td>Posting between {@link dev.verbena.verbs.QueuePairEx#wrStart()} and {@code wrComplete}</td>
 *     <td>Others that post to the queue pair wait. The thread that began ends it, or one that has
 *     taken over with {@link dev.verbena.verbs.QueuePairEx#resumeWr()}: of another one the builders,
 *     setters, wrComplete and wrAbort throw IllegalStateException.</td>
 *   </tr>
 *   <tr>
 *     <td>Polling between {@link dev.verbena.verbs.CompletionQueueEx#startPoll()} and {@code
 *     endPoll}</td>
 *     <td>Others that poll the queue wait. The thread that began reads and ends it, or one that has
 *     taken over with {@link dev.verbena.verbs.CompletionQueueEx#resumePoll()}: of another one
 *     nextPoll and endPoll throw IllegalStateException, and the readers must not be called.</td>
 *   </tr>
 *   <tr>
 *     <td>Queue pairs and work queues of a {@link dev.verbena.verbs.ParentDomain} with a {@link
 *     dev.verbena.verbs.ThreadDomain}</td>
 *     <td>No: one thread at a time posts to and modifies it; nothing waits.</td>
 *   </tr>
 *   <tr>
 *     <td>A {@link dev.verbena.verbs.CompletionQueueEx} with such a parent domain, or with {@link
 *     dev.verbena.verbs.CreateCqFlags#SINGLE_THREADED}</td>
 *     <td>No: one thread at a time polls; nothing waits.</td>
 *   </tr>
 *   <tr>
 *     <td>Queue pairs and work queues of a parent domain without thread domain; shared receive
 *     queues of any domain</td>
 *     <td>Yes, as of a plain protection domain.</td>
 *   </tr>
 *   <tr>
 *     <td>Values: work requests, elements, completions, attributes</td>
 *     <td>No: one that can be changed belongs to one thread at a time.</td>
 *   </tr>
 * </table>
 *
 * <p>The rules behind all this are in the folder docs/spec of the sources; tests name those that
 * they prove.
 */
@NullMarked
package dev.verbena.verbs;

import org.jspecify.annotations.NullMarked;
