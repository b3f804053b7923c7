/** A process whose worker loops, to be killed. */
import { WorkerProcess } from '../process/workerProcess.ts'
import { hostileProgram } from './hostileProgram.ts'

const worker = new WorkerProcess<string, object>(hostileProgram)
await worker.ask('ready', { deadline: 60_000, take: () => true })
void worker.ask('loop', { deadline: 3_600_000, take: () => true })
process.send?.('loops')
