/**
 * Space for records on a disk that is full: the file `DATA_DIR/reserve`. Half of it is given up once the disk is full, so that
 * records can be written until somebody makes room. The other half is for the next start, because another program may have
 * filled the disk again: it is given up before the databases are opened, and taken back afterwards. The embedded engine
 * refuses telemetry before the disk is full (`embeddedSettings` of the stack's tables), so it does not fill this space.
 */
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, statfsSync, statSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const mebibyte = 1024 ** 2

export interface DiskReserveOptions {
  dataDir: string
  say: (line: string) => void
  /** Bytes of the file. Default: 32 MiB. */
  size?: number
  /** Bytes of free space below which the disk is full. Default: 8 MiB. */
  low?: number
  /** Milliseconds between two looks at the disk. Default: 2 seconds. */
  every?: number
}

export interface DiskReserve {
  /** To be called once the start is done: takes back what was given up for it. */
  started(): void
  stop(): Promise<void>
}

/** Gives up the whole reserve if the disk is full, for the start that follows, and looks at the disk from time to time. */
export function keepDiskReserve(options: DiskReserveOptions): DiskReserve {
  const { dataDir, say, size = 32 * mebibyte, low = 8 * mebibyte, every = 2000 } = options
  const file = join(dataDir, 'reserve')
  const isFull = () => freeBytes(dataDir) < low
  let isGivenUp = isFull()
  if (isGivenUp) {
    shrink(file, 0)
    say('The disk that holds DATA_DIR is full. Make room, or changes and telemetry will be refused.')
  }
  const look = () => {
    const reserved = sizeOf(file)
    if (reserved > size / 2 && isFull()) {
      shrink(file, size / 2)
      say(`The disk that holds DATA_DIR is full. Make room: the next ${size / 2 / mebibyte} MiB are for records.`)
    } else if (reserved < size && freeBytes(dataDir) >= 3 * size && !isGivenUp) takeSpace(file, size)
  }
  look()
  const timer = setInterval(look, every)
  timer.unref()
  return {
    started() {
      if (isGivenUp) takeSpace(file, size / 2)
      isGivenUp = false
    },
    stop: async () => clearInterval(timer),
  }
}

/** For this user. A file system that does not say counts as empty. */
function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return Infinity
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

/** Appends random bytes, because a file system may compress others, up to the size or until the disk is full. */
function takeSpace(file: string, size: number): void {
  try {
    const opened = openSync(file, 'a', 0o600)
    try {
      const block = randomBytes(64 * 1024)
      for (let missing = size - sizeOf(file); missing > 0;) {
        missing -= writeSync(opened, block, 0, Math.min(missing, block.length))
      }
      fsyncSync(opened)
    } finally {
      closeSync(opened)
    }
  } catch {
    // The disk is full. A smaller reserve is better than none.
  }
}

/** A file system that is read-only keeps the file as it is. */
function shrink(file: string, size: number): void {
  try {
    truncateSync(file, size)
  } catch {
    // There is no file, or it cannot be written.
  }
}
