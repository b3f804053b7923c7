/** How long files wait between being seen and being loaded. */
import type { SourceFile } from './sourceFiles.ts'
import type { UsageMeter } from '../model/pipeUsage.ts'

export interface WaitingFiles {
  /** These are there and not loaded. */
  seen(files: readonly SourceFile[]): void
  /** These are loaded, or were given up. */
  settled(files: readonly SourceFile[]): void
  /** The pipe looks no longer. */
  end(): void
}

/** Tells the meter of one run of a pipe. */
export function waitingFiles(meter: UsageMeter, pipeId: string, now: () => number = Date.now): WaitingFiles {
  const since = new Map<string, number>()
  // In the order in which they were seen: the first has waited longest.
  const tell = () => meter.waiting(pipeId, since.values().next().value ?? null)
  return {
    seen(files) {
      for (const { path } of files) if (!since.has(path)) since.set(path, now())
      tell()
    },
    settled(files) {
      const waited = files.flatMap(({ path }) => {
        const at = since.get(path)
        since.delete(path)
        return at === undefined ? [] : [now() - at]
      })
      if (waited.length > 0) meter.loaded(pipeId, waited.reduce((sum, ms) => sum + ms, 0) / waited.length)
      tell()
    },
    end() {
      meter.waiting(pipeId, null)
    },
  }
}
