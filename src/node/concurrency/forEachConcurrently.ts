/**
 * Runs work for every item, with a limit on concurrency. After a failure no further items are started, and the promise is
 * rejected when all running ones have ended.
 */
export async function forEachConcurrently<T>(
  limit: number,
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const left = items.values()
  let failed = false
  const worker = async () => {
    for (const item of left) {
      if (failed) return
      await work(item).catch((error: unknown) => {
        failed = true
        throw error
      })
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: Math.min(limit, items.length) }, worker))
  const failure = ends.find((end) => end.status === 'rejected')
  if (failure) throw failure.reason
}
