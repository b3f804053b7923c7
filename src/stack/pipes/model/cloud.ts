/** What the handlers of the cloud's resources share: how long changes take, and who runs the pipes. */
import type { CloudBehavior } from './cloudBehavior.ts'
import type { PipeDocument } from './pipeDocument.ts'
import type { UsageMeter } from './pipeUsage.ts'

export interface Cloud {
  behavior: CloudBehavior
  /** When a change that is asked for now takes effect, as an ISO date. */
  convergesAt(): string
  /** Something that decides what runs was changed. */
  changed(): void
  /** What pipes take of the engine; null where there is none. */
  meter: UsageMeter | null
  /** Stops what runs of a pipe that is gone, waits for it, and lets its source go. */
  forget(pipe: PipeDocument): Promise<void>
  /** @throws Refusal 400 when the pipe could never run: its source cannot be reached, its table cannot be made */
  check(pipe: PipeDocument, signal: AbortSignal): Promise<void>
}
