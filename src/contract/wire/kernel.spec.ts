import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoints } from '../index.ts'
import { LosslessNumber } from './json.ts'
import { fillPath, gatewayPath, openEnum, pathId, pathTemplate, variants, wireNumber } from './kernel.ts'
import { namingProfiles } from './naming.ts'

describe('fillPath', () => {
  const template = '/v1/organizations/{organizationId}/services/{serviceId}/stack/alerts/{alertId}'
  const names = ['organizationId', 'serviceId', 'alertId']

  test('inserts IDs', () => {
    expect(fillPath('/api/v2/alerts/{alertId}', { alertId: 'a-1_B' })).toBe('/api/v2/alerts/a-1_B')
  })

  test('keeps any value within its path segment', () => {
    const anyText = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '.',
        '..',
        '',
        '%2e%2e',
        'a/b',
        'a\\b',
        'a?b',
        'a#b',
        'a;b',
        'a%2Fb',
        ' ',
        '\n',
        '{alertId}',
        '$&',
      ),
      fc.stringMatching(/^[\w-]{1,128}$/),
    )
    const values = fc.record({ organizationId: anyText, serviceId: anyText, alertId: anyText })
    fc.assert(
      fc.property(values, (values) => {
        let path
        try {
          path = fillPath(template, values)
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError)
          expect(names.some((name) => !pathId.safeParse(values[name as keyof typeof values]).success)).toBe(true)
          return
        }
        // The URL parser has not resolved, decoded or cut anything.
        const url = new URL(path, 'http://host')
        expect(url.pathname + url.search + url.hash).toBe(path)
        const expected = template.replaceAll(/\{(\w+)\}/g, (_, name: keyof typeof values) => values[name])
        expect(path.split('/')).toEqual(expected.split('/'))
      }),
      { numRuns: 10_000 },
    )
  })

  test('rejects a missing value and names it', () => {
    expect(() => fillPath(template, { organizationId: 'o', serviceId: 's' })).toThrow(/^alertId /)
  })
})

describe('routes', () => {
  test('of the open-source variant are below /api/v2, and include none of the cloud', () => {
    for (const endpoint of endpoints) {
      const template = pathTemplate(endpoint, 'openSource', namingProfiles.neutral)
      if (endpoint.scope === 'stack') expect(template).toBe(`/api/v2${endpoint.path}`)
      else expect(template).toBeNull()
    }
  })

  test('name exactly the parameters of their schema and scope', () => {
    for (const endpoint of endpoints) {
      const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
      const shape = 'shape' in endpoint.params ? Object.keys(endpoint.params.shape as object) : []
      expect(shape.toSorted(), `${endpoint.resource}.${endpoint.verb}`).toEqual(inPath.toSorted())
    }
  })

  test.each(variants.flatMap((variant) => Object.values(namingProfiles).map((names) => ({ variant, names }))))(
    'have unique addresses: $variant, $names.stack',
    ({ variant, names }) => {
      const offered = endpoints.filter((endpoint) => endpoint.variants.includes(variant))
      const routes = offered.map((endpoint) => `${endpoint.method} ${pathTemplate(endpoint, variant, names)}`)
      expect(new Set(routes).size).toBe(routes.length)
      expect(routes.join('\n')).not.toContain('null')
      expect(new Set(endpoints.map((endpoint) => `${endpoint.method} ${gatewayPath(endpoint)}`)).size).toBe(
        endpoints.length,
      )
    },
  )

  test('use the field names of the deployment', () => {
    const templates = endpoints.map((endpoint) => pathTemplate(endpoint, 'managed', namingProfiles.clickhouse))
    expect(templates.join('\n')).toContain('/clickstack/alerts')
    expect(templates.join('\n')).toContain('/clickpipes')
    expect(templates.join('\n')).not.toMatch(/\/stack\/|\/datapipes\b/)
  })

  test('count as changes unless they only read', () => {
    const reading = endpoints.filter((endpoint) => endpoint.method !== 'GET' && !endpoint.mutates)
    expect(reading.map((endpoint) => `${endpoint.resource}.${endpoint.verb}`).toSorted()).toEqual([
      'charts.explain',
      'charts.query',
      'charts.statements',
      'dashboards.validate',
      'pipes.previewOffsets',
      'search.query',
      'search.statement',
      'sql.run',
      'sql.tile',
    ])
    expect(endpoints.filter((endpoint) => endpoint.method === 'GET').every((endpoint) => !endpoint.mutates)).toBe(true)
  })
})

test('openEnum accepts unknown values, but no empty ones', () => {
  const state = openEnum(['on', 'off'])
  expect(state.parse('on')).toBe('on')
  expect(state.parse('later')).toBe('later')
  expect(state.safeParse('').success).toBe(false)
  expect(state.safeParse(1).success).toBe(false)
})

test('wireNumber accepts numbers that are kept as text', () => {
  expect(wireNumber.parse(1.5)).toBe(1.5)
  expect(wireNumber.parse(new LosslessNumber('1.0'))).toBe(1)
  expect(wireNumber.safeParse('1').success).toBe(false)
})

test('the gateway accepts a body exactly where the stack expects one', () => {
  const isEmpty = (body: z.ZodType) => body instanceof z.ZodObject && Object.keys(body.shape).length === 0
  const silent = endpoints.filter(({ strictBody, body }) => isEmpty(body) && !isEmpty(strictBody))
  expect(silent.map(({ resource, verb }) => `${resource}.${verb}`)).toEqual([])
})

test.each(endpoints.filter(({ method }) => method !== 'DELETE'))(
  'a result of $resource.$verb is a list exactly if the endpoint is marked as a list',
  ({ list, result }) => {
    expect(result.safeParse([]).success).toBe(list)
  },
)
