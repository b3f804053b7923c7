/** Runs pipes in a separate process, which tests may kill at any time. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { ConsumerGroup, OffsetsInput, OffsetsPlan, StreamShards } from '#contract/cloud/pipes/pipeConsumers.ts'
import type { PipeCreate } from '#contract/cloud/pipes/pipeInputs.ts'
import { program } from '#node/testing/program.ts'
import { runtimeOptions } from '../startup/runtimeOptions.ts'
import { engineEnvironment } from './childProcesses.ts'

export type PipeOrder =
  | { do: 'create'; input: PipeCreate }
  | { do: 'states' }
  | { do: 'state'; state: string; id?: string | undefined }
  | { do: 'position'; id?: string | undefined }
  | { do: 'shards' }
  | { do: 'offsets'; input: OffsetsInput; does: 'plan' | 'reset'; id?: string | undefined }
  | { do: 'resend'; id: string }
  | { do: 'query'; sql: string }
  | { do: 'command'; sql: string }
  | { do: 'stopAll' }
  | { do: 'isRunning' }
  | { do: 'end' }

/** Without an ID, an operation is about the one pipe of the process. */
export interface PipeProcess {
  pid: number
  /** @returns the ID of the pipe */
  create(input: PipeCreate): Promise<string>
  states(): Promise<{ id: string; state: string; stateDetail?: string }[]>
  /** Puts a pipe into a state. */
  state(state: string, id?: string): Promise<void>
  /**
   * Stops all pipes, as the tests of one process do: those of an earlier test would read on, or look for what they cannot
   * reach, during all that follow.
   */
  stopAll(): Promise<void>
  /** Where a pipe is in its topic. */
  position(id?: string): Promise<ConsumerGroup>
  shards(): Promise<StreamShards>
  offsets(input: OffsetsInput, does: 'plan' | 'reset', id?: string): Promise<OffsetsPlan>
  /** Asks a pipe to load its bad records again. */
  resend(id: string): Promise<void>
  query<Row>(sql: string): Promise<Row[]>
  command(sql: string): Promise<void>
  /** Ends it cleanly. */
  end(): Promise<void>
  /** Whether this process runs the one pipe. */
  isRunning(): Promise<boolean>
  /** Stops the process for a while, or lets it go on. */
  send(signal: 'SIGSTOP' | 'SIGCONT'): void
  /** kill -9. */
  kill(): Promise<void>
}

/** The database of the one service that the process has. */
export const pipeDatabase = 'service_00000000_0000_4000_8000_000000000001'

const entry = program(join(import.meta.dirname, 'pipeWorker.ts'))

/**
 * @param kinesisEndpoint the address of a Kinesis server
 * @param shared the servers of records and telemetry, which several processes use
 */
export async function startPipeProcess(
  dataDir: string,
  filesRoot: string,
  kinesisEndpoint = '',
  shared: { databaseUrl: string; clickhouseUrl: string } | null = null,
): Promise<PipeProcess> {
  const urls = shared ? [shared.databaseUrl, shared.clickhouseUrl] : []
  const child = fork(entry.file, [dataDir, filesRoot, kinesisEndpoint, ...urls], {
    execArgv: [...entry.execArgv, ...runtimeOptions.execArgv],
    env: { ...engineEnvironment(), ...runtimeOptions.env },
  })
  const gone = once(child, 'exit')
  const waiting = new Map<number, (message: { result?: unknown; error?: string }) => void>()
  let last = 0
  const ready = new Promise((resolve) => waiting.set(0, resolve))
  child.on('message', (message) => {
    const { number, ...answer } = message as { number: number; result?: unknown; error?: string } // `pipeWorker.ts` sends it
    waiting.get(number)?.(answer)
  })
  const ask = (order: PipeOrder) =>
    new Promise<unknown>((resolve, reject) => {
      const number = ++last
      waiting.set(number, ({ result, error }) => (error === undefined ? resolve(result) : reject(new Error(error))))
      child.send({ number, order })
    })
  await Promise.race([ready, gone.then(() => Promise.reject(new Error('the process of the pipes did not start')))])
  return {
    pid: child.pid ?? 0,
    create: (input) => ask({ do: 'create', input }) as Promise<string>,
    states: () => ask({ do: 'states' }) as ReturnType<PipeProcess['states']>,
    state: async (state, id) => void (await ask({ do: 'state', state, id })),
    stopAll: async () => void (await ask({ do: 'stopAll' })),
    shards: () => ask({ do: 'shards' }) as Promise<StreamShards>,
    position: (id) => ask({ do: 'position', id }) as Promise<ConsumerGroup>,
    offsets: (input, does, id) => ask({ do: 'offsets', input, does, id }) as Promise<OffsetsPlan>,
    resend: async (id) => void (await ask({ do: 'resend', id })),
    query: <Row>(sql: string) => ask({ do: 'query', sql }) as Promise<Row[]>,
    command: async (sql) => void (await ask({ do: 'command', sql })),
    isRunning: () => ask({ do: 'isRunning' }) as Promise<boolean>,
    send: (signal) => void child.kill(signal),
    async end() {
      await ask({ do: 'end' })
      child.disconnect()
      await gone
    },
    async kill() {
      child.kill('SIGKILL')
      await gone
    },
  }
}
