/** A process whose worker loops, to be killed. */
import { WorkerProcess } from '../workerProcess.ts'

const beside = import.meta.url
const worker = new WorkerProcess<string, object>({ name: 'hostileWorker', beside, memory: 64, idleTime: 600_000 })
await worker.ask('ready', { deadline: 60_000, take: () => true })
void worker.ask('loop', { deadline: 3_600_000, take: () => true })
process.send?.('loops')
