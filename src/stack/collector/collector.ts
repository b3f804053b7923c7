/** The collector: OTLP over HTTP and gRPC to the tables of the telemetry engine. */
import type { Logger } from 'pino'
import type { RequestObserver } from '#node/selfTelemetry/requestObserver.ts'
import type { SelfTelemetry } from '#node/selfTelemetry/selfTelemetry.ts'
import { insertedTable } from '../telemetry/tables.ts'
import type { Engine } from '../telemetry/engine/engine.ts'
import { Admission, measureAdmission } from './admission.ts'
import { createGrpcReceiver } from './grpcReceiver.ts'
import { GroupCommit } from './groupCommit.ts'
import { createHttpReceiver } from './httpReceiver.ts'
import { keyCheck } from './ingestionKey.ts'
import type { AcceptedKey } from '../team/ingestionKeys.ts'
import { Intake, type IntakeOptions } from './intake.ts'
import { type DecodeLimits, defaultDecodeLimits } from './otlp/decodeLimits.ts'

interface CollectorLimits extends DecodeLimits {
  /** Maximum size of a request in bytes, decompressed. Default 20 MiB. */
  maxRequestBytes: number
  /** Maximum bytes of all concurrent requests, decompressed. Default 64 MiB. */
  maxBytesInFlight: number
  /** Maximum number of concurrent requests. Default 512. */
  maxRequestsInFlight: number
  /** Maximum log records, spans and data points of those requests. Default 1,000,000. */
  maxRecordsInFlight: number
  /** Maximum decoded bytes of those requests. A single request may exceed it. Default 512 MiB. */
  maxDecodedBytesInFlight: number
  /**
   * Milliseconds that a request may wait to be stored before others are refused. Default 5,000, after which collectors
   * of OpenTelemetry give up, unless configured otherwise.
   */
  maxStoreWait: number
}

export interface CollectorOptions {
  host: string
  /** 0 for any free port. */
  httpPort: number
  grpcPort: number
  /** The ingestion keys that are accepted now: the same list until one of them changes. */
  acceptedKeys: () => readonly AcceptedKey[]
  engine: Pick<Engine, 'insertBlocks'> & Partial<Pick<Engine, 'dialect' | 'insertConnections'>>
  /** Days that rows of a signal are kept. Older records are rejected, because the engine would drop them at once. */
  retentionDays: IntakeOptions['retentionDays']
  /** Origins of pages that can send from a browser. Default none. */
  corsOrigins?: readonly string[]
  limits?: Partial<CollectorLimits>
  /** Timeout in milliseconds for the message of a gRPC call. */
  grpcReceiveTimeout?: number
  logger: Logger
  /** The stack's own telemetry, which observes every request. */
  telemetry?: RequestObserver & Partial<Pick<SelfTelemetry, 'meter'>>
}

export interface Collector {
  httpPort: number
  grpcPort: number
  /** Stops accepting requests, and resolves once everything accepted is stored and answered. */
  close(): Promise<void>
}

/** A port is in use. `port` names it. */
export class PortTaken extends Error {
  readonly port: number

  constructor(port: number, cause: unknown) {
    super(`port ${port} cannot be listened on`, { cause })
    this.port = port
  }
}

const defaults: CollectorLimits = {
  ...defaultDecodeLimits,
  maxRequestBytes: 20 * 1024 * 1024,
  maxBytesInFlight: 64 * 1024 * 1024,
  maxRequestsInFlight: 512,
  maxRecordsInFlight: 1_000_000,
  maxDecodedBytesInFlight: 512 * 1024 * 1024,
  maxStoreWait: 5_000,
}

/** Bytes of one insert. */
const maxInsertBytes = 16 * 1024 * 1024

/** Milliseconds for running calls when the collector closes. */
const closePatience = 10_000

/** Listens on both ports. Rejects with `PortTaken`, and then listens on neither. */
export async function startCollector(options: CollectorOptions): Promise<Collector> {
  const { host, engine, retentionDays, logger, telemetry } = options
  const limits = { ...defaults, ...options.limits }
  const { dialect } = engine
  const insert: Engine['insertBlocks'] = (table, blocks) =>
    engine.insertBlocks(dialect ? insertedTable(dialect, table) : table, blocks)
  const writer = new GroupCommit({
    insert,
    maxWait: 50,
    maxRows: 50_000,
    maxBytes: maxInsertBytes,
    maxInserts: 2,
    maxInsertsOverall: engine.insertConnections ?? Infinity,
  })
  const admission = new Admission(limits)
  if (telemetry?.meter) measureAdmission(telemetry.meter, admission)
  const shared = {
    intake: new Intake({ writer, retentionDays, limits, logger }),
    admission,
    isAuthorized: keyCheck(options.acceptedKeys),
    maxRequestBytes: limits.maxRequestBytes,
    logger,
  }
  const corsOrigins = options.corsOrigins ?? []
  const http = await createHttpReceiver({ ...shared, corsOrigins, plugin: telemetry?.plugin })
  const grpc = createGrpcReceiver({
    ...shared,
    receiveTimeout: options.grpcReceiveTimeout,
    observe: telemetry?.observeGrpc,
  })

  const listening = await Promise.allSettled([
    http.listen({ host, port: options.httpPort }).catch((error: unknown) => {
      throw new PortTaken(options.httpPort, error)
    }),
    grpc.listen(host, options.grpcPort).catch((error: unknown) => {
      throw new PortTaken(options.grpcPort, error)
    }),
  ])
  const close = async () => {
    await Promise.all([http.close(), grpc.close(closePatience)])
  }
  const failed = listening.find((result) => result.status === 'rejected')
  if (failed || listening[1].status === 'rejected') {
    await close()
    throw failed?.reason
  }
  const address = http.server.address()
  const httpPort = typeof address === 'object' && address ? address.port : options.httpPort
  return { httpPort, grpcPort: listening[1].value, close }
}
