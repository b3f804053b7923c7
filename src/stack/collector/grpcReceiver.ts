/** OTLP over gRPC: one unary Export for each signal. */
import {
  logVerbosity,
  Metadata,
  type sendUnaryData,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServiceDefinition,
  setLogVerbosity,
  status,
  type UntypedHandleCall,
} from '@grpc/grpc-js'
import type { Logger } from 'pino'
import type { Admission } from './admission.ts'
import { grpcAdmission } from './grpcAdmission.ts'
import type { Intake } from './intake.ts'
import { Refused, senderGaveUp } from './refusedExport.ts'
import { type Signal, signals } from './signals.ts'
import { statusBytes } from './rpcStatus.ts'

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

// The library logs to stderr in its own format. Everything relevant is reported as an error.
setLogVerbosity(logVerbosity.NONE)

/** A server that is not bound yet. */
export function createGrpcReceiver(options: GrpcReceiverOptions): Server {
  // Checks key and capacity before the message is read.
  const check = (metadata: Metadata) => {
    if (!options.isAuthorized(metadata.get('authorization')[0]?.toString())) {
      throw new Refused('unauthenticated', 'the ingestion key is missing or wrong')
    }
    options.admission.check()
  }
  const refusal = (metadata: Metadata) => {
    try {
      check(metadata)
      return null
    } catch (error) {
      return statusOf(refusedBy(error))
    }
  }
  const server = new Server({
    'grpc.max_receive_message_length': options.maxRequestBytes,
    'grpc.max_concurrent_streams': 100,
    interceptors: [grpcAdmission({ refusal, maxReceiving: 4, receiveTimeout: options.receiveTimeout ?? 10_000 })],
  })
  for (const signal of signals) {
    server.addService(serviceOf(signal), { export: exportHandler(signal, options) })
  }
  return server
}

/** Resolves to the port, which differs from the requested one if that was 0. Rejects if it is in use. */
export function bindGrpc(server: Server, host: string, port: number): Promise<number> {
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`
  return new Promise((resolve, reject) => {
    server.bindAsync(address, ServerCredentials.createInsecure(), (error, bound) => {
      if (error) reject(error)
      else resolve(bound)
    })
  })
}

/** Waits for running calls to end; cancels those that take too long. */
export function closeGrpc(server: Server, timeout: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.forceShutdown(), timeout)
    server.tryShutdown(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/**
 * Bytes in, bytes out: the intake decodes them, so that a malformed message is an error of the sender, not of the
 * server.
 */
function serviceOf(signal: Signal): ServiceDefinition {
  const asIs = (bytes: Buffer) => bytes
  return {
    export: {
      path: signal.grpcPath,
      requestStream: false,
      responseStream: false,
      requestSerialize: asIs,
      requestDeserialize: asIs,
      responseSerialize: asIs,
      responseDeserialize: asIs,
    },
  }
}

function exportHandler(signal: Signal, { intake, admission, logger, observe }: GrpcReceiverOptions): UntypedHandleCall {
  const store = async (body: Buffer, sender: AbortSignal): Promise<Buffer> => {
    sender.throwIfAborted()
    const ticket = admission.admit(body.length)
    try {
      return await intake.accept(signal, 'protobuf', body, { ticket, sender })
    } finally {
      ticket.release()
    }
  }
  // The service definition passes its bytes through unchanged.
  return (call: ServerUnaryCall<Buffer, Buffer>, callback: sendUnaryData<Buffer>): void => {
    const end = observe?.(signal.grpcPath)
    store(call.request, senderOf(call)).then(
      (answer) => {
        end?.(status.OK)
        callback(null, answer)
      },
      (error: unknown) => {
        const refused = refusedBy(error)
        if (refused.reason === 'failed') logger.error({ err: error }, 'The collector failed to handle a call')
        end?.(refused.rpcCode)
        callback(statusOf(refused))
      },
    )
  }
}

/** Fires when the sender cancels the call, disconnects, or its deadline passes. */
function senderOf(call: ServerUnaryCall<Buffer, Buffer>): AbortSignal {
  const sender = new AbortController()
  const abort = () => sender.abort(senderGaveUp())
  if (call.cancelled) abort()
  else call.once('cancelled', abort)
  return sender.signal
}

function refusedBy(error: unknown): Refused {
  return error instanceof Refused ? error : new Refused('failed', 'the collector failed')
}

/** The status of a call, with the delay of a retry if one makes sense. */
function statusOf(refused: Refused) {
  const metadata = new Metadata()
  metadata.set('grpc-status-details-bin', statusBytes(refused, 'protobuf'))
  return { code: refused.rpcCode, details: refused.message, metadata }
}
