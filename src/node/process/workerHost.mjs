/**
 * The process around a worker: runs one program in a thread, and passes messages between it and `workerProcess.ts`. The
 * main thread stays free, so it ends the process when its parent is gone or when the memory limit is exceeded, whatever the
 * program does. In JavaScript, because it runs from the sources without a loader.
 */
import { writeFileSync } from 'node:fs'
import { isMainThread, Worker, workerData } from 'node:worker_threads'

/** Milliseconds between two looks at memory and processor time. */
const watchInterval = 20

if (isMainThread) host()
else await runSource(workerData)

function host() {
  const { file, isSource, resourceLimits, maxResident } = JSON.parse(process.argv[2])
  // By a signal: an exit waits for the thread, which a long call of native code does not leave.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  // Terminals and service managers also send these to the processes of a server, which then finishes its tasks.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined)
  endFirst()
  const usedTime = () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
  /** The milliseconds of processor time that each message may take, and when the present one is late; none between tasks. */
  let deadline = Infinity
  let lateAt = Infinity
  setInterval(() => {
    if (process.memoryUsage.rss() > maxResident) report('memory')
    else if (usedTime() > lateAt) report('late')
  }, watchInterval)

  const options = { execArgv: [], env: {}, resourceLimits }
  const worker = isSource
    ? new Worker(new URL(import.meta.url), { ...options, workerData: file })
    : new Worker(new URL(file), options)
  worker.on('message', (message) => {
    lateAt = usedTime() + deadline
    process.send({ message })
  })
  worker.on('error', (error) => report(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'ended'))
  worker.on('exit', () => report('ended'))
  process.on('message', ({ order }) => {
    deadline = order?.deadline ?? Infinity
    lateAt = usedTime() + deadline
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    if (order) worker.postMessage(order.task)
  })
}

/** If the machine runs out of memory, Linux ends this process first. Elsewhere, the limits have to do. */
function endFirst() {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Not Linux.
  }
}

/** Tells the parent why the process ends. */
function report(fault) {
  process.send({ fault }, () => process.exit(1))
}

/** Programs of the sources are TypeScript, and a thread does not inherit the loader of its process. */
async function runSource(file) {
  const { register } = await import('tsx/esm/api')
  register()
  await import(file)
}
