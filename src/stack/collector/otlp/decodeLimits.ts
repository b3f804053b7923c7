/** Limits of decoded export requests. They are checked while reading, before memory is allocated. */
import { formatValue } from '#domain/charts/units.ts'

export interface DecodeLimits {
  /** Log records, spans or data points of a request. Default 500,000. */
  maxRecords: number
  /** Resources, scopes and metrics of a request. Default 500,000. */
  maxContainers: number
  /** Attributes of a record, those of its events, links and exemplars included. Default 10,000. */
  maxAttributes: number
  /** Bytes of a record, with its resource, scope and metric. Default 4 MiB, the limit of gRPC for a message. */
  maxRecordBytes: number
  /** Fields and list items of a record, or of the shared parts of records. Default 100,000. */
  maxRecordValues: number
  /** Fields and list items of a request. Default 5,000,000. */
  maxValues: number
  /** Bytes of all records, each with its resource, scope and metric. Default 256 MiB. */
  maxExpandedBytes: number
}

export const defaultDecodeLimits: DecodeLimits = {
  maxRecords: 500_000,
  maxContainers: 500_000,
  maxAttributes: 10_000,
  maxRecordBytes: 4 * 1024 * 1024,
  maxRecordValues: 100_000,
  maxValues: 5_000_000,
  maxExpandedBytes: 256 * 1024 * 1024,
}

/** Maximum nesting of messages, which is that of the protobuf decoder. */
export const maxDepth = 100

/** The request exceeds one of the limits. The message names it. */
export class LimitExceeded extends Error {}

/** The size of a request, or of a part of it. */
export interface Measure {
  records: number
  /** Fields and list items. */
  values: number
  /** Bytes of the records, each with its shared parts. */
  expanded: number
}

/** Values that are counted without a pause. */
const valuesOfTurn = 200_000

/** Measures a request. Throws `LimitExceeded` as soon as a limit is exceeded. */
export class Meter implements Measure {
  records = 0
  values = 0
  expanded = 0
  readonly #limits: DecodeLimits
  /** Bytes of the largest record since the start of the container, with the shared parts of its inner containers. */
  #largest = 0
  #pauseAt = valuesOfTurn
  #containers = 0
  #attributes = 0
  #recordValues = 0

  constructor(limits: DecodeLimits) {
    this.#limits = limits
  }

  /** Starts a container. Call the result at its end, with the bytes that its records share. */
  container(): (sharedBytes: number) => void {
    this.#containers += 1
    if (this.#containers > this.#limits.maxContainers) {
      throw new LimitExceeded(
        `a request may have at most ${formatValue(this.#limits.maxContainers)} resources, scopes and metrics: send smaller batches`,
      )
    }
    const { records } = this
    const largest = this.#largest
    this.#largest = 0
    return (sharedBytes) => {
      this.#recordOf(this.#largest + sharedBytes)
      this.#expand(sharedBytes * (this.records - records))
      this.#largest = Math.max(this.#largest, largest)
    }
  }

  /** Starts a record, or a part that records share. */
  beginPart(isRecord: boolean): void {
    this.#attributes = 0
    this.#recordValues = 0
    if (!isRecord) return
    this.records += 1
    if (this.records > this.#limits.maxRecords) {
      throw new LimitExceeded(
        `a request may have at most ${formatValue(this.#limits.maxRecords)} log records, spans or data points: send smaller batches`,
      )
    }
  }

  attribute(): void {
    this.#attributes += 1
    if (this.#attributes > this.#limits.maxAttributes) {
      throw new LimitExceeded(`a record may have at most ${formatValue(this.#limits.maxAttributes)} attributes`)
    }
  }

  /** Counts values of the current part. */
  partValues(more: number): void {
    this.#recordValues += more
    this.fieldsInOnePlace(this.#recordValues)
    this.containerValues(more)
  }

  /** Counts fields and list items that belong together. */
  fieldsInOnePlace(fields: number): void {
    if (fields > this.#limits.maxRecordValues) {
      throw new LimitExceeded(
        `a record may have at most ${formatValue(this.#limits.maxRecordValues)} fields and list items`,
      )
    }
  }

  /** Counts values outside of records. */
  containerValues(more: number): void {
    this.values += more
    if (this.values > this.#limits.maxValues) {
      throw new LimitExceeded(
        `a request may have at most ${formatValue(this.#limits.maxValues)} fields and list items: send smaller batches`,
      )
    }
  }

  /** The bytes of a record without shared parts. */
  recordBytes(bytes: number): void {
    this.#recordOf(bytes)
    this.#expand(bytes)
  }

  #recordOf(bytes: number): void {
    if (bytes > this.#limits.maxRecordBytes) {
      throw new LimitExceeded(
        `a record, with its resource and scope, may have at most ${formatValue(this.#limits.maxRecordBytes)} bytes`,
      )
    }
    this.#largest = Math.max(this.#largest, bytes)
  }

  #expand(bytes: number): void {
    this.expanded += bytes
    if (this.expanded > this.#limits.maxExpandedBytes) {
      throw new LimitExceeded(
        `the records of a request, each with its resource and scope, may have at most ${formatValue(this.#limits.maxExpandedBytes)} bytes: send smaller batches`,
      )
    }
  }

  /** Whether enough was counted since the last call for a pause. */
  isPauseDue(): boolean {
    if (this.values < this.#pauseAt) return false
    this.#pauseAt = this.values + valuesOfTurn
    return true
  }

  depth(levels: number): void {
    if (levels > maxDepth) throw tooDeep()
  }
}

export function tooDeep(): LimitExceeded {
  return new LimitExceeded(`a request may be nested at most ${maxDepth} levels deep`)
}
