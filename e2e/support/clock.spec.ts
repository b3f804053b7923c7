/** Browser tests depend on states, not on time. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const e2e = join(import.meta.dirname, '..')

/** The refused calls, and the files that may have it. */
const rules: { pattern: RegExp; instead: string; except: string[] }[] = [
  { pattern: /\.waitForTimeout\(/, instead: 'Wait for a state with expect().', except: [] },
  {
    pattern: /['"`]networkidle['"`]/,
    instead: 'Use loaded() of support/stillPages.ts.',
    except: [],
  },
  {
    pattern: /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bprocess\.hrtime\b/,
    instead: 'Use support/now.ts to plant telemetry, and nothing else.',
    except: ['support/now.ts'],
  },
]

const files = readdirSync(e2e, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))

test.each(rules)('no file but $except has $pattern', ({ pattern, instead, except }) => {
  const found = files
    .filter((file) => !except.includes(file))
    .flatMap((file) =>
      readFileSync(join(e2e, file), 'utf8')
        .split('\n')
        .flatMap((line, at) => (pattern.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
    )
  expect(found, instead).toEqual([])
})
