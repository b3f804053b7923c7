import { expect, test } from 'vitest'
import { touchedTests } from './changedTests.ts'

const tests = ['e2e/alerts.e2e.ts', 'e2e/alerting/narrow.e2e.ts', 'e2e/pipes/lag.e2e.ts', 'e2e/palette.e2e.ts']

test.each([
  [['src/console/features/alerts/columns.tsx'], ['e2e/alerts.e2e.ts', 'e2e/alerting/narrow.e2e.ts']],
  [['src/stack/resources/alerts.ts'], ['e2e/alerts.e2e.ts', 'e2e/alerting/narrow.e2e.ts']],
  [['src/contract/cloud/pipes/pipeScaling.ts'], ['e2e/pipes/lag.e2e.ts']],
  [['src/stack/pipes/runtime.ts', 'README.md'], ['e2e/pipes/lag.e2e.ts']],
  [['e2e/palette.e2e.ts'], ['e2e/palette.e2e.ts']],
  [['e2e/support/test.ts'], tests],
  [['e2e/support/clock.spec.ts', 'docs/GLOSSARY.md'], []],
])('a change of %j touches %j', (changed, touched) => {
  expect(touchedTests(changed, tests)).toEqual(touched)
})
