/**
 * The model of a simulated streaming pipe. There is no broker; the numbers depend on its size like those of a real pipe.
 *
 * - The source produces `arrival` bytes a second: a mean from the pipe's id (6 to 14 MB/s), a slow wave of 25 %
 *   around it (ten minutes) and a quick one of 8 % (47 seconds). Records have 1,600 bytes.
 * - A replica moves 63 MB/s with one core and 4 GiB, and less in proportion to the scarcer of the two:
 *   `capacity = replicas * 63 MB/s * min(millicores / 1000, GiB / 4)`.
 * - What arrives beyond the capacity waits, six hours of it at most (the source's retention). Latency is the wait for a full
 *   batch plus the backlog over the speed at which it is read.
 * - CPU: 4 % at rest, up to 96 % at capacity. Memory: 18 % at rest, 60 % at capacity, up to 92 % while a backlog is read.
 * - A stopped pipe reads nothing while its source continues.
 *
 * Everything follows from the pipe, its last state and the clock, so it continues through a restart.
 */

/** The state of a pipe at a time. */
export interface PipeModel {
  /** Epoch milliseconds. */
  at: number
  fetchedBytes: number
  sentBytes: number
  /** Bytes that wait in the source. */
  backlog: number
}

export interface ModelSize {
  replicas: number
  replicaCpuMillicores: number
  replicaMemoryGb: number
}

export interface ModelReading extends PipeModel {
  fetchedEvents: number
  sentEvents: number
  /** Bytes a second. */
  arrival: number
  capacity: number
  /** Null for a pipe that does not run. */
  latencyMs: number | null
  /** The processor of one replica. */
  cpuMillicores: number
  memoryBytes: number
}

const recordBytes = 1600
const megabyte = 1e6
const replicaSpeed = 63 * megabyte
const retentionSeconds = 6 * 3600
const stepMs = 5000
/** Longer gaps are not simulated, because the backlog is full then. */
const maxGapMs = 7 * 86_400_000

export function capacityOf({ replicas, replicaCpuMillicores, replicaMemoryGb }: ModelSize): number {
  return replicas * replicaSpeed * Math.min(replicaCpuMillicores / 1000, replicaMemoryGb / 4)
}

/** Bytes a second that the source produces at a time in epoch milliseconds. */
export function arrivalAt(id: string, at: number): number {
  const seed = seedOf(id)
  const mean = (6 + (seed % 9)) * megabyte
  const wave = (seconds: number) => Math.sin((2 * Math.PI * (at / 1000 + seed)) / seconds)
  return mean * (1 + 0.25 * wave(600) + 0.08 * wave(47))
}

function seedOf(id: string): number {
  return [...id].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 9973, 7)
}

/** The pipe at a later time. `size` is null for a pipe that does not run. */
export function advance(id: string, model: PipeModel, size: ModelSize | null, now: number): PipeModel {
  const capacity = size ? capacityOf(size) : 0
  let { at, fetchedBytes, sentBytes, backlog } = model
  at = Math.max(at, now - maxGapMs)
  while (at < now) {
    // Steps end at multiples of their length, so that the result does not depend on when it is read.
    const end = Math.min(now, (Math.floor(at / stepMs) + 1) * stepMs)
    const seconds = (end - at) / 1000
    const arrived = arrivalAt(id, Math.floor(at / stepMs) * stepMs) * seconds
    const moved = Math.min(backlog + arrived, capacity * seconds)
    backlog = Math.min(backlog + arrived - moved, (arrived / seconds) * retentionSeconds)
    fetchedBytes += moved
    sentBytes += moved
    at = end
  }
  return { at, fetchedBytes, sentBytes, backlog }
}

/** The values of a pipe at a time. `maxWaitMs` is its `streaming_max_insert_wait_ms`. */
export function readModel(
  id: string,
  model: PipeModel,
  size: ModelSize,
  runs: boolean,
  maxWaitMs: number,
): ModelReading {
  const capacity = capacityOf(size)
  const arrival = arrivalAt(id, Math.floor(model.at / stepMs) * stepMs)
  const speed = model.backlog > 0 ? capacity : Math.min(arrival, capacity)
  const load = runs && capacity > 0 ? speed / capacity : 0
  const batchBytes = Math.min(32 * megabyte * size.replicaMemoryGb, 100_000 * recordBytes)
  const batchMs = runs ? Math.min(maxWaitMs, ((batchBytes * size.replicas) / Math.max(speed, 1)) * 1000) : 0
  const memoryShare = runs ? Math.min(0.92, 0.18 + 0.42 * load + (model.backlog > 0 ? 0.32 : 0)) : 0
  return {
    ...model,
    fetchedEvents: Math.floor(model.fetchedBytes / recordBytes),
    sentEvents: Math.floor(model.sentBytes / recordBytes),
    arrival,
    capacity,
    latencyMs: runs ? 40 + batchMs / 2 + (model.backlog / Math.max(speed, 1)) * 1000 : null,
    cpuMillicores: runs ? size.replicaCpuMillicores * (0.04 + 0.92 * load) : 0,
    memoryBytes: size.replicaMemoryGb * 2 ** 30 * memoryShare,
  }
}
