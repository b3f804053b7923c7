/** Reads zips of records in another process, because YAML of a few kilobytes may take the parser minutes, and all of the memory. */
import { createHash } from 'node:crypto'
import { parseJson } from '#contract/wire/json.ts'
import { isPlainObject } from '#domain/json/plainObject.ts'
import type { RecordFile } from '#domain/recordFiles/recordFiles.ts'
import type { RecordKind } from '#contract/stack/recordKinds.ts'
import type { Work } from '#domain/work.ts'
import { runInTimeSlices } from '#node/concurrency/timeSlices.ts'
import { TaskQueue } from '#node/concurrency/concurrencyLimits.ts'
import { WorkerProcess, type WorkerFault } from '#node/process/workerProcess.ts'
import { ApiFailure, failure } from '#node/upstream/apiFailure.ts'
import { problemsFailure, type ZippedRecord } from './readRecordZip.ts'
import type { ZipMessage } from './recordZipWorker.ts'

export interface RecordZip {
  files: RecordFile[]
  /** The kinds that have a folder, which may be empty. */
  kinds: RecordKind[]
}

export interface ReadingLimits {
  /** Milliseconds for a file. */
  file: number
  /** Milliseconds for a zip. */
  zip: number
  /** Megabytes. */
  memory: number
}

/**
 * A plain file of the largest size takes a second or two, and a zip of the largest size 20. Without anchors, aliases and
 * errors, a file takes half of the memory.
 */
const defaultLimits: ReadingLimits = { file: 5_000, zip: 60_000, memory: 512 }

/** Zips that are read or wait for it. */
const maxWaiting = 5

/** Milliseconds for which the last zip and the process are kept. */
const keptFor = 600_000

const advice =
  'A record that was exported takes a few milliseconds. Export it again, or write it with fewer anchors, aliases and brackets.'

export class RecordZips {
  readonly #worker: WorkerProcess<string, ZipMessage>
  readonly #queue = new TaskQueue(maxWaiting, () =>
    failure('rateLimited', 'Other files are being read. Try again in a minute.', { retryAfter: 60 }),
  )
  /** The zip that was read last. It is read once for all of its plans and its start. */
  #last: { digest: string; zip: RecordZip } | undefined
  #forgetting: NodeJS.Timeout | undefined
  #isClosed = false
  readonly #limits: ReadingLimits

  constructor(limits = defaultLimits) {
    this.#limits = limits
    const { memory } = limits
    this.#worker = new WorkerProcess({ name: 'recordZipWorker', beside: import.meta.url, memory, idleTime: keptFor })
  }

  /**
   * One zip at a time.
   * @param zip as base64
   * @throws ApiFailure that says what is wrong, and in which file
   */
  async read(zip: string): Promise<RecordZip> {
    const digest = createHash('sha256').update(zip).digest('base64')
    return this.#known(digest) ?? this.#queue.run(async () => this.#known(digest) ?? this.#readNew(zip, digest))
  }

  /** Interrupts what is being read. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#worker.end()
    await this.#queue.ended()
    clearTimeout(this.#forgetting)
  }

  #known(digest: string): RecordZip | undefined {
    if (this.#last?.digest !== digest) return undefined
    this.#forgetLater()
    return this.#last.zip
  }

  async #readNew(zip: string, digest: string): Promise<RecordZip> {
    clearTimeout(this.#forgetting)
    try {
      const { records, kinds } = await this.#inWorker(zip)
      const read = { files: await runInTimeSlices(filesOf(records)), kinds }
      this.#last = { digest, zip: read }
      return read
    } finally {
      this.#forgetLater()
    }
  }

  async #inWorker(zip: string): Promise<{ records: ZippedRecord[]; kinds: RecordKind[] }> {
    const records: ZippedRecord[] = []
    let path: string | undefined
    if (this.#isClosed) throw this.#faultFailure('ended', path)
    const outcome = await this.#worker.ask(zip, {
      deadline: this.#limits.file,
      total: this.#limits.zip,
      take: (message) => {
        if ('begun' in message) path = message.begun
        else if ('record' in message) records.push(message.record)
        else return message
        return undefined
      },
    })
    if ('fault' in outcome) throw this.#faultFailure(outcome.fault, path)
    if ('refused' in outcome.result) throw new ApiFailure(outcome.result.refused)
    return { records, kinds: outcome.result.kinds }
  }

  /** @param path of the file that was being read */
  #faultFailure(fault: WorkerFault, path: string | undefined): ApiFailure {
    const at = path ?? 'the zip'
    switch (fault) {
      case 'late':
        return problemsFailure([`${at}: takes longer than ${seconds(this.#limits.file)} to read. ${advice}`])
      case 'lateInTotal':
        return failure(
          'invalid',
          `The zip takes longer than ${seconds(this.#limits.zip)} to read, which ended at ${at}. Import it in parts.`,
        )
      case 'memory':
        return problemsFailure([`${at}: needs more than ${this.#limits.memory} MB of memory to be read. ${advice}`])
      case 'ended':
        return failure('failed', `Reading the zip was interrupted at ${at}. Nothing was changed. Try again.`)
    }
  }

  /** The process ends too: it keeps memory. */
  #forgetLater(): void {
    clearTimeout(this.#forgetting)
    this.#forgetting = setTimeout(() => {
      this.#last = undefined
      void this.#worker.end()
    }, keptFor).unref()
  }
}

const seconds = (milliseconds: number) => `${milliseconds / 1000} s`

function* filesOf(records: readonly ZippedRecord[]): Work<RecordFile[]> {
  const files: RecordFile[] = []
  for (const { kind, path, json } of records) {
    const record = parseJson(json)
    if (isPlainObject(record)) files.push({ kind, path, record })
    yield
  }
  return files
}
