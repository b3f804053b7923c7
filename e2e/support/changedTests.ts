/** Which browser tests a change touches. */

/** A part of the product whose folder or file is named after its resource: `features/alerts`, `resources/alerts.ts`. */
const resourceOf =
  /^src\/(?:console\/features|contract\/(?:stack|cloud|console)|(?:stack|gateway)\/(?:resources\/)?)\/?([A-Za-z]+)/

/**
 * The test files that are changed, and those named after a resource that is changed: `alerting/narrow.e2e.ts` for alerts.
 * All of them if what all of them use is changed. Paths are relative to the checkout.
 */
export function touchedTests(changed: readonly string[], tests: readonly string[]): string[] {
  const isShared = changed.some(
    (file) => /^e2e\/(support\/|playwright\.config)/.test(file) && !file.endsWith('.spec.ts'),
  )
  if (isShared) return [...tests]
  const names = changed.flatMap((file) => resourceOf.exec(file)?.[1]?.replace(/s$/, '') ?? [])
  return tests.filter(
    (test) => changed.includes(test) || names.some((name) => test.slice('e2e/'.length).includes(name)),
  )
}
