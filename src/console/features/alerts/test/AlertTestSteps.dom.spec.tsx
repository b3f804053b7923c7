import { expect, test } from 'vitest'
import { testRoot } from '#console/ui/testing/testRoot.ts'
import { alertTestResult } from '#contract/stack/alertTests.ts'
import { AlertTestSteps } from './AlertTestSteps.tsx'

const { page, render } = testRoot()

test('values are written as elsewhere, without the digits of a floating-point number', () => {
  const result = alertTestResult.parse({
    query: {
      start: 0,
      end: 300_000,
      value: 1_876_514_168.6999996,
      groups: [{ group: 'ServiceName:web', value: 359_600_341.49999994, state: 'ALERT' }],
    },
    condition: { state: 'ALERT', text: 'The alert fires.' },
  })
  const names = { dashboards: new Map(), savedSearches: undefined, webhooks: undefined }
  render(<AlertTestSteps test={{ pending: false, result, error: null }} names={names} unit="number" />)
  expect(page().textContent).toContain(': 1,876,514,169')
  expect(page().textContent).toContain('ServiceName:web 359,600,341')
  render(<AlertTestSteps test={{ pending: false, result, error: null }} names={names} unit="ns" />)
  expect(page().textContent).toContain(': 1.88 s')
  expect(page().textContent).toContain('ServiceName:web 360 ms')
})
