/** Handles an export request of any protocol: measures, decodes, converts and stores it. */
import type { Logger } from 'pino'
import type { Ticket } from './admission.ts'
import { Batch, type TimeWindow, timeWindow } from './convert/batch.ts'
import type { NativeBlock } from '../telemetry/native/nativeBlock.ts'
import type { GroupCommit } from './groupCommit.ts'
import { type DecodeLimits, LimitExceeded } from './otlp/decodeLimits.ts'
import { type Piece, piecesOf, weighRequest } from './otlp/pieces.ts'
import { Refused } from './refusedExport.ts'
import { Capacity } from './capacity.ts'
import type { Encoding, Signal } from './signals.ts'
import { TimeSlices } from './timeSlices.ts'

export interface IntakeOptions {
  writer: GroupCommit<NativeBlock>
  retentionDays: number
  limits: DecodeLimits
  logger: Logger
}

/** Bytes that are decoded at a time, or a single record. */
const pieceWeight = 3 * 1024 * 1024
/** Bytes of all requests that are decoded and not stored yet. */
const roomWeight = 24 * 1024 * 1024

export class Intake {
  readonly #options: IntakeOptions
  readonly #turns = new TimeSlices()
  readonly #room = new Capacity(roomWeight)

  constructor(options: IntakeOptions) {
    this.#options = options
  }

  /**
   * Resolves to the response's bytes once every row is durable. Throws `Refused` if nothing counts as stored: the request
   * is malformed or too large, or the engine failed and the sender should retry.
   */
  async accept(signal: Signal, encoding: Encoding, body: Buffer, ticket: Ticket): Promise<Buffer> {
    const { limits, retentionDays } = this.#options
    const { records, weight } = await this.#inTurns(signal, weighRequest(signal.request, encoding, body, limits))
    ticket.growDecoded(records, weight)
    const window = timeWindow(Date.now(), retentionDays)
    const batch = new Batch(window)
    if (weight <= pieceWeight) await this.#store(signal, encoding, [{ bytes: body, weight }], batch)
    else {
      const pieces = () => piecesOf(signal.request, encoding, body, limits, pieceWeight)
      await this.#check(signal, encoding, pieces(), window)
      await this.#store(signal, encoding, pieces(), batch)
    }
    return signal.answer(batch, encoding)
  }

  async #inTurns<T>(signal: Signal, work: Generator<null, T, void>): Promise<T> {
    for (;;) {
      await this.#turns.next()
      const step = understood(signal, () => work.next())
      if (step.done) return step.value
    }
  }

  /** Decodes everything once, so that nothing is stored of a request that is malformed at its end. */
  async #check(signal: Signal, encoding: Encoding, pieces: Iterable<Piece | null>, window: TimeWindow): Promise<void> {
    for (const piece of pieces) {
      await this.#turns.next()
      if (piece) understood(signal, () => signal.read(piece.bytes, encoding, new Batch(window)))
    }
  }

  async #store(signal: Signal, encoding: Encoding, pieces: Iterable<Piece | null>, batch: Batch): Promise<void> {
    const writes: Promise<unknown>[] = []
    let failure: { error: unknown } | undefined
    for (const piece of pieces) {
      if (!piece) {
        await this.#turns.next()
        continue
      }
      const { bytes, weight } = piece
      const leave = await this.#room.enter(weight)
      if (failure) {
        leave()
        break
      }
      await this.#turns.next()
      let blocks
      try {
        understood(signal, () => signal.read(bytes, encoding, batch))
        blocks = batch.take()
      } catch (error) {
        leave()
        await Promise.all(writes)
        throw error
      }
      const written = [...blocks].map(([table, block]) => this.#options.writer.write(table, block))
      writes.push(
        Promise.all(written)
          .catch((error: unknown) => (failure ??= { error }))
          .then(() => Promise.allSettled(written))
          .finally(leave),
      )
    }
    await Promise.all(writes)
    if (!failure) return
    this.#options.logger.error({ err: failure.error, signal: signal.name }, 'A batch could not be stored')
    throw new Refused('unavailable', 'the batch could not be stored. Send it again')
  }
}

/** Runs a step that reads the request: its errors are errors of the sender. */
function understood<T>(signal: Signal, step: () => T): T {
  try {
    return step()
  } catch (error) {
    if (error instanceof LimitExceeded) throw new Refused('tooLarge', error.message)
    throw new Refused('malformed', `not an OTLP ${signal.name} request: ${messageOf(error)}`)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unreadable'
}
