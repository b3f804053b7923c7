import { execFileSync } from 'node:child_process'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { alertInput, alerts } from '#contract/stack/alerts.ts'
import type { Connection } from '#contract/console/connections.ts'
import { pipes } from '#contract/cloud/pipes/pipes.ts'
import { sample } from '#contract/stack/sample.ts'
import { services } from '#contract/cloud/services/services.ts'
import { sampleConnection } from '#contract/testing/sampleConnection.ts'
import { curlOf } from './curl.ts'

const openSource = sampleConnection({ name: 'C', baseUrl: 'https://host:8000/base/', stage: 'local' })
const managed: Connection = {
  ...openSource,
  variant: 'managed',
  organizationId: 'org-1',
  serviceId: 'svc-1',
  naming: 'clickhouse',
}

test('the command is for the deployment’s address, with placeholders for keys', () => {
  expect(curlOf(openSource, alerts.get, { params: { alertId: 'a1' } })).toBe(
    `curl 'https://host:8000/base/api/v2/alerts/a1' \\\n  -H "Authorization: Bearer $KEY"`,
  )
  expect(curlOf(managed, alerts.delete, { params: { alertId: 'a1' } })).toBe(
    `curl -X DELETE 'https://host:8000/base/v1/organizations/org-1/services/svc-1/clickstack/alerts/a1' \\\n  -u "$KEY_ID:$KEY_SECRET"`,
  )
})

test('bodies of services and pipes have the deployment’s field names', () => {
  const params = { serviceId: 's1', dataPipeId: 'p1' }
  const command = curlOf(managed, pipes.updateSettings, { params, body: { db_max_threads: 4 } })
  expect(command).toContain('/services/s1/clickpipes/p1/settings')
  expect(command).toContain('"clickhouse_max_threads": 4')
})

test('an endpoint that the variant lacks has no command', () => {
  expect(curlOf(openSource, services.list, {})).toBeNull()
  expect(curlOf(openSource, sample.get, {})).not.toBeNull()
})

test('a shell passes any body on unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (name) => {
      fc.pre(!name.includes('\0'))
      const body = alertInput.safeParse({
        source: 'tile',
        dashboardId: 'd',
        tileId: 't',
        interval: '5m',
        threshold: 1,
        thresholdType: 'above',
        channel: { type: 'webhook', webhookId: 'w' },
        name: `n${name}`,
      })
      if (!body.success) return
      const command = curlOf(openSource, alerts.create, { body: body.data }) ?? ''
      const print = command.replace(/^curl/, `printf '%s\\n'`)
      const sent = execFileSync('sh', ['-c', print], { encoding: 'utf8' })
      const json = sent.slice(sent.indexOf('{'), sent.lastIndexOf('}') + 1)
      expect(JSON.parse(json)).toEqual(body.data)
    }),
    { numRuns: 60 },
  )
})
