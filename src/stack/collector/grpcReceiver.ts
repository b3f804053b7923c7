/** OTLP over gRPC: one unary Export for each signal. */
import type { Logger } from 'pino'
import type { Admission, Ticket } from './admission.ts'
import { Capacity } from '#node/concurrency/concurrencyLimits.ts'
import { decompress, encodings, knownEncoding } from './decompress.ts'
import type { Intake } from './intake.ts'
import { Refused } from './refusedExport.ts'
import { type Signal, signals } from './signals.ts'
import { type UnaryCall, UnaryServer } from './unaryServer.ts'

export interface GrpcReceiverOptions {
  intake: Intake
  admission: Admission
  isAuthorized: (authorization: string | undefined) => boolean
  /** Maximum size of a request in bytes, decompressed. */
  maxRequestBytes: number
  /** Timeout in milliseconds for a message. Default 10,000. */
  receiveTimeout?: number | undefined
  logger: Logger
  /** Called at the start of a call; its result is called with the status code at the end. */
  observe?: ((route: string) => (code: number) => void) | undefined
}

/** Calls whose message is received and decompressed at the same time. The others wait, and their senders with them. */
const maxReceiving = 4

/** A server that is not listening yet. */
export function createGrpcReceiver(options: GrpcReceiverOptions): UnaryServer {
  const { observe, logger } = options
  const receiving = new Capacity(maxReceiving)
  const handle = async (call: UnaryCall, signal: Signal): Promise<number> => {
    try {
      call.answer(await store(call, signal, receiving, options))
      return 0
    } catch (error) {
      const refused = error instanceof Refused ? error : new Refused('failed', 'the collector failed')
      if (refused.reason === 'failed') logger.error({ err: error }, 'The collector failed to handle a call')
      call.refuse(refused)
      return refused.rpcCode
    }
  }
  return new UnaryServer(
    new Map(
      signals.map((signal) => [
        signal.grpcPath,
        (call) => {
          const end = observe?.(signal.grpcPath)
          void handle(call, signal).then((code) => end?.(code))
        },
      ]),
    ),
  )
}

async function store(
  call: UnaryCall,
  signal: Signal,
  receiving: Capacity,
  options: GrpcReceiverOptions,
): Promise<Buffer> {
  const { intake, isAuthorized } = options
  // Checks key, encoding and capacity before a byte of the message is read.
  if (!isAuthorized(call.headers.authorization)) {
    throw new Refused('unauthenticated', 'the ingestion key is missing or wrong')
  }
  const encoding = knownEncoding(String(call.headers['grpc-encoding'] ?? ''))
  if (!encoding) throw new Refused('notImplemented', `unsupported grpc-encoding. Use ${encodings.join(', ')}`)
  options.admission.check()
  const { body, ticket } = await receive(call, encoding, receiving, options)
  try {
    call.sender.throwIfAborted()
    return await intake.accept(signal, 'protobuf', body, { ticket, sender: call.sender })
  } finally {
    ticket.release()
  }
}

/** The decompressed message, and the memory that it holds. */
async function receive(
  call: UnaryCall,
  encoding: string,
  receiving: Capacity,
  { admission, maxRequestBytes, receiveTimeout = 10_000 }: GrpcReceiverOptions,
): Promise<{ body: Buffer; ticket: Ticket }> {
  const leave = await receiving.enter(1, call.sender)
  let ticket: Ticket | undefined
  try {
    const admitted = (ticket = admission.admit(0))
    const takeRoom = (bytes: number) => admitted.grow(bytes)
    const message = await call.read({ maxBytes: maxRequestBytes, timeout: receiveTimeout, takeRoom })
    const body = message.isCompressed
      ? await decompress(message.body, encoding, maxRequestBytes, admitted)
      : message.body
    return { body, ticket: admitted }
  } catch (error) {
    ticket?.release()
    throw error
  } finally {
    leave()
  }
}
