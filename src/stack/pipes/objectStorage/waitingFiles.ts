/** Measures how long files wait between being listed and being loaded. */
import { currentTime } from '#node/clock/wallClock.ts'
import type { SourceFile } from './sourceFiles.ts'
import type { UsageMeter } from '../model/pipeUsage.ts'

export interface WaitingFiles {
  /** These files are listed and not loaded. */
  seen(files: readonly SourceFile[]): void
  /** These files are loaded or have failed. */
  settled(files: readonly SourceFile[]): void
  /** The run has ended. */
  end(): void
}

/** Reports the waiting times of one run of a pipe to the meter. */
export function waitingFiles(meter: UsageMeter, pipeId: string, now: () => number = currentTime): WaitingFiles {
  const since = new Map<string, number>()
  // In the order of listing: the first file has waited longest.
  const report = () => meter.waiting(pipeId, since.values().next().value ?? null)
  return {
    seen(files) {
      for (const { path } of files) if (!since.has(path)) since.set(path, now())
      report()
    },
    settled(files) {
      const waited = files.flatMap(({ path }) => {
        const at = since.get(path)
        since.delete(path)
        return at === undefined ? [] : [now() - at]
      })
      if (waited.length > 0) meter.loaded(pipeId, waited.reduce((sum, ms) => sum + ms, 0) / waited.length)
      report()
    },
    end() {
      meter.waiting(pipeId, null)
    },
  }
}
