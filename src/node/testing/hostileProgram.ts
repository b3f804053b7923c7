import type { WorkerProgram } from '../process/workerProcess.ts'

/** Starts `hostileWorker.ts`: from a bundle in specs (`src/bundledPrograms.ts`), otherwise from its source. */
export const hostileProgram: WorkerProgram = {
  name: 'hostileWorker',
  beside: import.meta.url,
  memory: 64,
  idleTime: 600_000,
}
