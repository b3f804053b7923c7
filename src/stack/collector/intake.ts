/** Handles an export request of any protocol: measures, decodes, converts and stores it. */
import { setMaxListeners } from 'node:events'
import type { Logger } from 'pino'
import { currentTime } from '#node/clock/wallClock.ts'
import type { Ticket } from './admission.ts'
import { Batch, type TimeWindow, timeWindow } from './convert/batch.ts'
import type { NativeBlock } from '../telemetry/native/nativeBlock.ts'
import type { GroupCommit } from './groupCommit.ts'
import { type DecodeLimits, LimitExceeded } from './otlp/decodeLimits.ts'
import { type Piece, piecesOf, weighRequest } from './otlp/pieces.ts'
import { Refused } from './refusedExport.ts'
import { Capacity } from '#node/concurrency/concurrencyLimits.ts'
import type { Encoding, Signal } from './signals.ts'

export interface IntakeOptions {
  writer: GroupCommit<NativeBlock>
  /** Days that rows of a signal are kept: older ones are refused. */
  retentionDays: (signal: Signal['name']) => number
  limits: DecodeLimits
  logger: Logger
}

interface ExportRequest {
  signal: Signal
  encoding: Encoding
  /** Fires when the sender gives up. */
  sender: AbortSignal
}

/** Bytes that are decoded at a time, or a single record. */
const pieceWeight = 3 * 1024 * 1024
/** Bytes of all requests that are decoded and not stored yet. */
const roomWeight = 24 * 1024 * 1024

export class Intake {
  readonly #options: IntakeOptions
  readonly #turns = new Turns()
  readonly #room = new Capacity(roomWeight)

  constructor(options: IntakeOptions) {
    this.#options = options
  }

  /**
   * Resolves to the response's bytes once every row is durable. Throws `Refused` if nothing counts as stored: the request
   * is malformed or too large, or the engine failed and the sender should retry. Throws the reason of `sender`, which
   * fires when the sender gives up: it may send the request again, so what is in no insert by then is dropped.
   */
  async accept(
    signal: Signal,
    encoding: Encoding,
    body: Buffer,
    { ticket, sender }: { ticket: Ticket; sender: AbortSignal },
  ): Promise<Buffer> {
    const { limits, retentionDays } = this.#options
    // A large request has a listener for each block that waits, which is not a leak.
    setMaxListeners(0, sender)
    const request = { signal, encoding, sender }
    const { records, weight } = await this.#inTurns(request, weighRequest(signal.request, encoding, body, limits))
    ticket.growDecoded(records, weight)
    const window = timeWindow(currentTime(), retentionDays(signal.name), Date.now())
    const batch = new Batch(window)
    if (weight <= pieceWeight) await this.#store(request, [{ bytes: body, weight }], batch)
    else {
      const pieces = () => piecesOf(signal.request, encoding, body, limits, pieceWeight)
      await this.#check(request, pieces(), window)
      await this.#store(request, pieces(), batch)
    }
    return signal.encodeResponse(batch, encoding)
  }

  /** Waits for the next turn. @throws the reason of the sender, if it gave up */
  async #nextTurn({ sender }: ExportRequest): Promise<void> {
    await this.#turns.next()
    sender.throwIfAborted()
  }

  async #inTurns<T>(request: ExportRequest, work: Generator<null, T, void>): Promise<T> {
    for (;;) {
      await this.#nextTurn(request)
      const step = withSenderErrors(request.signal, () => work.next())
      if (step.done) return step.value
    }
  }

  /** Decodes everything once, so that nothing is stored of a request that is malformed at its end. */
  async #check(request: ExportRequest, pieces: Iterable<Piece | null>, window: TimeWindow): Promise<void> {
    const { signal, encoding } = request
    for (const piece of pieces) {
      await this.#nextTurn(request)
      if (!piece) continue
      const batch = new Batch(window)
      withSenderErrors(signal, () => signal.read(piece.bytes, encoding, batch))
      batch.discard()
    }
  }

  async #store(request: ExportRequest, pieces: Iterable<Piece | null>, batch: Batch): Promise<void> {
    const { signal, sender } = request
    const { writer, logger } = this.#options
    const writes: Promise<unknown>[] = []
    let failure: { error: unknown } | undefined
    try {
      for (const piece of pieces) {
        if (!piece) {
          await this.#nextTurn(request)
          continue
        }
        const leave = await this.#room.enter(piece.weight, sender)
        if (failure) {
          leave()
          break
        }
        const blocks = await this.#decode(request, piece, batch).catch((error: unknown) => {
          leave()
          throw error
        })
        const written = [...blocks].map(([table, block]) => writer.write(table, block, sender))
        writes.push(
          Promise.all(written)
            .catch((error: unknown) => (failure ??= { error }))
            .then(() => Promise.allSettled(written))
            .finally(leave),
        )
      }
    } finally {
      await Promise.all(writes)
    }
    if (!failure) return
    if (failure.error === sender.reason) throw failure.error
    logger.error({ err: failure.error, signal: signal.name }, 'A batch could not be stored')
    throw new Refused('unavailable', 'the batch could not be stored. Send it again')
  }

  async #decode(request: ExportRequest, { bytes }: Piece, batch: Batch) {
    await this.#nextTurn(request)
    const { signal, encoding } = request
    withSenderErrors(signal, () => signal.read(bytes, encoding, batch))
    return batch.take()
  }
}

/** Runs a step that reads the request: its errors are errors of the sender. */
function withSenderErrors<T>(signal: Signal, step: () => T): T {
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

/** Gives the long work of several requests one turn at a time, so that other work of the process runs in between. */
class Turns {
  readonly #waiting: (() => void)[] = []

  /** Resolves when the caller's turn begins. It ends when the caller awaits something. */
  next(): Promise<void> {
    return new Promise((go) => {
      this.#waiting.push(go)
      if (this.#waiting.length === 1) setImmediate(() => this.#run())
    })
  }

  #run(): void {
    this.#waiting.shift()?.()
    if (this.#waiting.length > 0) setImmediate(() => this.#run())
  }
}
