import { expect, test } from 'vitest'
import { dashboardCreateStrict } from '#contract/stack/dashboards/dashboardRules.ts'
import { dashboardInput } from '#contract/stack/dashboards/dashboards.ts'
import type { Source } from '#contract/stack/sources.ts'
import { planTile } from '#console/charting/tiles/tileQuery.ts'
import { sourceOf, templates } from './templates.ts'

const sources: Source[] = [
  { id: '65f5e4a3b9e77c001a90aaaa', name: 'Old traces', kind: 'trace', disabled: true },
  { id: '65f5e4a3b9e77c001a90bbbb', name: 'Traces', kind: 'trace' },
  { id: '65f5e4a3b9e77c001a90cccc', name: 'Metrics', kind: 'metric' },
]
const span = { from: Date.parse('2026-11-20T10:00:00Z'), to: Date.parse('2026-11-20T11:00:00Z') }

test.each(templates.map((template) => [template.name, template] as const))(
  '%s is a dashboard that the API accepts, and each of its tiles can be queried',
  (name, template) => {
    const source = sourceOf(template, sources)
    expect(source?.name).toBe(template.kind === 'trace' ? 'Traces' : 'Metrics')
    const tiles = template.tiles(source!.id)
    expect(dashboardCreateStrict.safeParse({ name, tiles }).error?.issues).toBeUndefined()
    for (const { config } of dashboardInput.parse({ name, tiles }).tiles) {
      const plan = planTile(config, { span, zone: 'utc', granularity: 'auto', conditions: [], sourceId: (id) => id })
      expect(plan).toMatchObject({ kind: 'query', notes: [] })
    }
  },
)
