/** The way of one export request, whichever protocol brought it: decode, convert, store, answer. */
import type { Logger } from 'pino'
import { Batch, timeWindow } from './convert/batch.ts'
import type { GroupCommit } from './groupCommit.ts'
import { Refused } from './refused.ts'
import type { Encoding, Signal } from './signals.ts'

export interface IntakeOptions {
  writer: GroupCommit
  retentionDays: number
  logger: Logger
}

export class Intake {
  readonly #options: IntakeOptions

  constructor(options: IntakeOptions) {
    this.#options = options
  }

  /**
   * Resolves to the answer's bytes once every row is durable. Throws `Refused` when nothing may be taken as stored:
   * the request is malformed, or the engine failed and the sender should send it again.
   */
  async accept(signal: Signal, encoding: Encoding, body: Buffer): Promise<Buffer> {
    const batch = new Batch(timeWindow(Date.now(), this.#options.retentionDays))
    try {
      signal.read(body, encoding, batch)
    } catch (error) {
      throw new Refused('malformed', `not an OTLP ${signal.name} request: ${messageOf(error)}`)
    }
    await this.#store(signal, batch)
    return signal.answer(batch, encoding)
  }

  async #store(signal: Signal, batch: Batch): Promise<void> {
    const writes = [...batch.tables].map(([table, rows]) => this.#options.writer.write(table, rows))
    const failed = (await Promise.allSettled(writes)).find((write) => write.status === 'rejected')
    if (!failed) return
    this.#options.logger.error({ err: failed.reason, signal: signal.name }, 'A batch could not be stored')
    throw new Refused('unavailable', 'the batch could not be stored: send it again')
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unreadable'
}
