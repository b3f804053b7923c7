import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bodyTemplates } from '../receivers/bodyTemplates.ts'
import { emailGateways } from '../receivers/emailGateways.ts'
import type { NotificationInput } from './notified.ts'
import { renderNotification } from './renderNotification.ts'
import { sampleLines } from './samples.ts'
import { hasMentions } from './templates.ts'

const start = Date.UTC(2026, 10, 5, 13, 4)
const tileAlert: NotificationInput = {
  alert: {
    id: 'a1',
    teamId: 't1',
    threshold: 10.5,
    thresholdType: 'above',
    interval: '5m',
    source: 'tile',
    dashboardId: 'd1',
    tileId: 'tile-1',
    note: 'Call "Ann"',
  },
  event: { alertId: 'a1', state: 'ALERT', groupKey: '', group: null, value: 12.345, start, end: start + 300_000 },
  watched: { name: 'Errors', dashboard: 'Shop', query: 'level:error' },
  samples: [],
  consoleUrl: 'https://console.example/',
  eventId: 'e'.repeat(40),
  service: 'generic',
}
const link = `https://console.example/dashboards/d1?from=${start - 2_100_000}&granularity=5m&to=${start + 2_400_000}&highlightedTileId=tile-1`

type Changes = Partial<Omit<NotificationInput, 'alert' | 'event'>> & {
  alert?: Partial<NotificationInput['alert']>
  event?: Partial<NotificationInput['event']>
}
const render = ({ alert, event, ...rest }: Changes = {}) =>
  renderNotification({
    ...tileAlert,
    ...rest,
    alert: { ...tileAlert.alert, ...alert },
    event: { ...tileAlert.event, ...event },
  })

const search: Changes = { alert: { source: 'saved_search', savedSearchId: 's1' }, watched: { name: 'Slow' } }
const grouped = { groupKey: 'service:checkout', group: { service: 'checkout' } }

describe('title and message', () => {
  test('of a tile', () => {
    expect(render()).toMatchObject({
      title: '🚨 Alert for "Errors" in "Shop" - 12.3 meets or exceeds 10.5',
      message: '12.3 meets or exceeds 10.5\nTime Range (UTC): [Nov 5 1:04:00 PM - Nov 5 1:09:00 PM)',
      link,
      problems: [],
    })
  })

  test('of values with a unit have them in it too, beside the numbers that all deployments send', () => {
    const inUnit = { value: '12.3 ms', threshold: '10.5 ms' }
    expect(render({ inUnit })).toMatchObject({
      title: '🚨 Alert for "Errors" in "Shop" - 12.3 meets or exceeds 10.5',
      message:
        '12.3 meets or exceeds 10.5\nTime Range (UTC): [Nov 5 1:04:00 PM - Nov 5 1:09:00 PM)\nValue: 12.3 ms, threshold: 10.5 ms',
    })
    expect(render({ inUnit, event: { state: 'OK' } }).message).not.toContain('ms')
  })

  test('of a test say that it is one, and what the value means', () => {
    expect(render({ event: { test: { violates: true } } })).toMatchObject({
      title: 'Test: Alert for "Errors" in "Shop" - 12.3 meets or exceeds 10.5',
      message: expect.stringMatching(
        /^This is a test of the alert, which somebody sent by hand\.\n12\.3 meets or exceeds/,
      ),
    })
    expect(render({ alert: { name: 'Own {{value}}' }, event: { value: 2, test: { violates: false } } })).toMatchObject({
      title: 'Test: Own 2',
      message: expect.stringMatching(/ The alert does not fire at this value\.\n2\.0 falls below 10\.5\n/),
    })
    expect(render({ event: { state: 'OK', test: { violates: true } } }).message).toMatch(
      /^This ends the test of the alert\.\nTime/,
    )
  })

  test('of a resolved tile', () => {
    expect(render({ event: { state: 'OK', value: 2 } })).toMatchObject({
      title: '✅ Alert for "Errors" in "Shop" - 2.0 falls below 10.5',
      message: 'The alert has been resolved.\nTime Range (UTC): [Nov 5 1:04:00 PM - Nov 5 1:09:00 PM)',
    })
  })

  test('of a saved search, with sample rows', () => {
    const samples = sampleLines([['a', 1, 'x,"y"'], Array.from({ length: 600 }, () => 'z')])
    const { title, message, link } = render({ ...search, event: { ...grouped, value: 12 }, samples })
    expect(title).toBe('🚨 Alert for "Slow" - 12 lines found')
    expect(message.split('\n').slice(0, 5)).toEqual([
      'Group: "service:checkout"',
      '12 lines found, which meets or exceeds the threshold of 10.5 lines',
      'Time Range (UTC): [Nov 5 1:04:00 PM - Nov 5 1:09:00 PM)',
      '```',
      'a,1,"x,""y"""',
    ])
    expect(message).toMatch(/z…\n```$/)
    expect(link).toBe(
      `https://console.example/search/s1?from=${start - 2_100_000}&to=${start + 2_400_000}&isLive=false`,
    )
  })

  test.each([
    ['above_exclusive', 'exceeds', 'falls to or below'],
    ['below', 'falls below', 'meets or exceeds'],
    ['below_or_equal', 'falls to or below', 'exceeds'],
    ['equal', 'equals', 'does not equal'],
    ['not_equal', 'does not equal', 'equals'],
  ])('%s says "%s" and then "%s"', (thresholdType, fired, resolved) => {
    expect(render({ alert: { thresholdType } }).title).toContain(` - 12.3 ${fired} 10.5`)
    expect(render({ alert: { thresholdType }, event: { state: 'OK' } }).title).toContain(` - 12.3 ${resolved} 10.5`)
  })

  test('of a range names both ends', () => {
    const alert = { thresholdType: 'not_between', thresholdMax: 20 }
    expect(render({ alert }).title).toContain('12.3 falls outside 10.5 and 20')
  })

  test('of a summary list its groups', () => {
    const groups = Array.from({ length: 25 }, (_, at) => `service:s${at}`)
    const { title, message } = render({ event: { groups } })
    expect(title).toBe('🚨 Alert for "Errors" in "Shop" - 25 groups')
    expect(message).toMatch(/^25 groups:\n- service:s0\n/)
    expect(message).toContain('- service:s19\nand 5 more\nTime Range')
  })
})

describe('templates', () => {
  test('read the alert, the group and what it watches', () => {
    const { title, message } = render({
      alert: {
        name: '{{attributes.service}} of {{dashboard.name}}',
        message: '{{value}} {{granularity}} {{alert.threshold}} {{attributes.k8s.pod}} {{{group}}}',
      },
      event: { groupKey: 'service:a&b', group: { service: 'a&b', 'k8s.pod': 'p1' } },
    })
    expect(title).toBe('🚨 a&b of Shop')
    expect(message).toContain('\n12.345 5m 10.5 p1 service:a&b')
  })

  test.each([
    ['{{#is_match "attributes.service" "checkout"}}yes{{/is_match}}', 'yes'],
    ['{{#is_match "attributes.service" "cart"}}yes{{/is_match}}no', 'no'],
    ['{{#is_match "attributes.constructor.name" "Object"}}yes{{/is_match}}no', 'no'],
    ['{{#if (eq attributes.service "checkout")}}yes{{/if}}', 'yes'],
    ['{{#eq attributes.service "cart"}}yes{{else}}no{{/eq}}', 'no'],
    ['{{constructor.name}}{{__proto__}}{{attributes.toString}}end', 'end'],
    ['{{lookup attributes "constructor"}}end', 'end'],
  ])('%s prints %s', (message, text) => {
    expect(render({ alert: { message }, event: grouped }).message.split('\n').at(-1)).toBe(text)
  })

  test.each([
    ['{{#if}}', /^Message template: Parse error on line 1/],
    ['{"v":{{value}}}', /^Message template: Parse error on line 1: Write a space between }} and }\./],
    ['{{> other}}', /^Message template: The partial other could not be found/],
    ['{{#*inline "a"}}{{> a}}{{/inline}}{{> a}}', /^Message template: /],
    ['{{log "x"}}', /^Message template: log is not available/],
    ['{{#is_match}}{{/is_match}}', /is_match needs a path/],
  ])('a message that cannot be rendered is sent with the reason: %s', (message, problem) => {
    const { message: sent, problems } = render({ alert: { message } })
    expect(problems).toEqual([expect.stringMatching(problem)])
    expect(sent).toMatch(/^12\.3 meets or exceeds 10\.5\nTime Range .*\nMessage template: /)
  })

  test('a title that cannot be rendered is the default one', () => {
    expect(render({ alert: { name: '{{' } })).toMatchObject({
      title: '🚨 Alert for "Errors" in "Shop" - 12.3 meets or exceeds 10.5',
      problems: [expect.stringContaining('Title template: ')],
    })
  })

  test('in data do not run', () => {
    const event = { groupKey: 'service:{{alert.id}} \uE000webhook-x\uE001', group: { service: '{{alert.id}}' } }
    const { title, message, mentions } = render({ alert: { name: '{{attributes.service}}' }, event })
    expect(title).toBe('🚨 {{alert.id}}')
    expect(message).toContain('Group: "service:{{alert.id}} webhook-x"')
    expect(mentions).toEqual([])
  })

  test('mention webhooks where they are rendered', () => {
    const message =
      'For @webhook-oncall and @webhook-{{attributes.team}}: a@b.c {{#is_match "attributes.team" "x"}}@webhook-x{{/is_match}}{{#is_match "attributes.team" "pay"}}@webhook-y{{/is_match}} @here{{#each @root.attributes}}.{{/each}}'
    const result = render({ alert: { message }, event: { groupKey: 'team:pay', group: { team: 'pay' } } })
    expect(result.mentions).toEqual([
      { type: 'webhook', target: 'oncall' },
      { type: 'webhook', target: 'pay' },
      { type: 'webhook', target: 'y' },
      { type: 'here', target: '' },
    ])
    expect(result.message.split('\n').at(-1)).toBe('For  and : a@b.c  .')
  })

  test.each([
    ['{{#each @root}}{{this}}{{/each}}', false],
    ['{{@root.alert.id}} {{#with @root}}x{{/with}}', false],
    ['write to a@b.example', false],
    ['{{! @webhook-comment }}', false],
    ['{{#if}} @webhook-x', false],
    ['see @ nothing', false],
    ['@webhook-x', true],
    ['{{#if value}}@{{attributes.team}}{{/if}}', true],
  ])('%s mentions somebody: %s', (message, expected) => {
    expect(hasMentions(message)).toBe(expected)
  })

  test('mentions may hold values anywhere, and end with them', () => {
    const message = '@{{a.x}}-{{a.y}}.z{{#if value}}@webhook-{{a.y}}{{/if}}@webhook-{{a.x}}{{eq 1 2}} @w-{{a.y}}'
    const event = { groupKey: 'a', group: { 'a.x': 'one', 'a.y': 'two' } }
    const template = message.replaceAll('a.', 'attributes.a.')
    expect(render({ alert: { message: template }, event }).mentions).toEqual([
      { type: 'one', target: 'two.z' },
      { type: 'webhook', target: 'two' },
      { type: 'webhook', target: 'one' },
      { type: 'w', target: 'two' },
    ])
  })

  test.each([
    ['rendered more than 5000 times', `${'{{#each @root}}'.repeat(9)}x${'{{/each}}'.repeat(9)}`],
    [
      'produce more than 1000000 characters',
      `${'{{#each @root}}'.repeat(4)}${'x'.repeat(3000)}${'{{/each}}'.repeat(4)}`,
    ],
    ['produce more than 1000000 characters', '{{#alert}}{{message}}{{/alert}}'.repeat(300)],
  ])('that loop too much end with the reason: %s', (problem, message) => {
    const { problems, message: sent } = render({ alert: { message } })
    expect(problems).toEqual([expect.stringContaining(problem)])
    expect(sent.length).toBeLessThan(1000)
  })

  test('of any nesting of blocks end within their limits', () => {
    const block = fc.constantFrom(
      'each @root',
      'each alert',
      'with alert',
      'if value',
      'each @root.attributes',
      'alert',
    )
    const nested = fc.tuple(fc.array(block, { maxLength: 30 }), fc.string({ maxLength: 500 }))
    fc.assert(
      fc.property(nested, fc.integer({ min: 1, max: 40 }), ([blocks, text], count) => {
        const opened = blocks.map((name) => `{{#${name}}}`).join('')
        const closed = blocks.map((name) => `{{/${name.split(' ')[0]}}}`).toReversed()
        const message = (opened + text.replaceAll(/[{}\\]/g, '') + closed.join('')).repeat(count)
        const { message: sent } = render({ alert: { message } })
        expect(sent.length).toBeLessThanOrEqual(20_000 + 100)
      }),
      { numRuns: 60 },
    )
  })

  test('keep group columns with dots apart', () => {
    const group = { a: 'x', 'a.b': 'y', 'c..d': 'z', __proto__x: 'p' }
    const message = '{{attributes.a}}{{attributes.[a.b]}}{{attributes.[c..d]}}{{attributes.__proto__x}}'
    expect(render({ alert: { message }, event: { groupKey: 'a', group } }).message).toMatch(/\nxyzp$/)
  })
})

describe('payload', () => {
  test('of a generic webhook, byte for byte', () => {
    const text = `🚨 Alert for \\"Errors\\" in \\"Shop\\" - 12.3 meets or exceeds 10.5`
    const body = `12.3 meets or exceeds 10.5\\nTime Range (UTC): [Nov 5 1:04:00 PM - Nov 5 1:09:00 PM)`
    expect(render().payload).toBe(
      `{"text": "${text} | ${body} | ${link} | ALERT | ${start} | ${start + 300_000} | ${'e'.repeat(40)}"}`,
    )
  })

  test('of incident.io, byte for byte', () => {
    const event = { ...grouped, state: 'OK' as const }
    expect(render({ service: 'incidentio', event }).payload).toBe(
      '{"title":"✅ Alert for \\"Errors\\" in \\"Shop\\" - 12.3 falls below 10.5",' +
        '"description":"Group: \\"service:checkout\\"\\nThe alert has been resolved.\\nTime Range (UTC): [Nov 5 1:04:00 PM - Nov 5 1:09:00 PM)",' +
        `"deduplication_key":"${'e'.repeat(40)}","status":"resolved","source_url":"${link}"}`,
    )
  })

  test('of Slack, byte for byte', () => {
    expect(render({ service: 'slack' }).payload).toBe(
      '{"text":"🚨 Alert for \\"Errors\\" in \\"Shop\\" - 12.3 meets or exceeds 10.5","blocks":[{"type":"section","text":{"type":"mrkdwn","text":' +
        `"*<${link} | 🚨 Alert for \\"Errors\\" in \\"Shop\\" - 12.3 meets or exceeds 10.5>*\\n` +
        '12.3 meets or exceeds 10.5\\nTime Range (UTC): [Nov 5 1:04:00 PM - Nov 5 1:09:00 PM)"}}]}',
    )
  })

  test('of a resolved group, byte for byte', () => {
    const event = { ...grouped, state: 'OK' as const }
    const title = '✅ Alert for \\"Errors\\" in \\"Shop\\" - 12.3 falls below 10.5'
    const body =
      'Group: \\"service:checkout\\"\\nThe alert has been resolved.\\nTime Range (UTC): [Nov 5 1:04:00 PM - Nov 5 1:09:00 PM)'
    expect(render({ event }).payload).toBe(
      `{"text": "${title} | ${body} | ${link} | OK | ${start} | ${start + 300_000} | ${'e'.repeat(40)}"}`,
    )
    expect(render({ service: 'slack', event }).payload).toBe(
      `{"text":"${title}","blocks":[{"type":"section","text":{"type":"mrkdwn","text":"*<${link} | ${title}>*\\n${body}"}}]}`,
    )
  })

  test('of Slack lets no data notify a channel', () => {
    const { payload } = render({
      service: 'slack',
      alert: { name: 'p99 > 1s {{attributes.a}}', message: '<!here> {{attributes.a}} "{{attributes.b}}"' },
      event: { groupKey: 'a:<!channel>', group: { a: '<!channel>', b: 'it\'s "x"=`y`' } },
      samples: ['<!everyone> & ``` done'],
    })
    const { text, blocks } = JSON.parse(payload ?? '')
    expect(text).toBe('🚨 p99 > 1s &lt;!channel&gt;')
    expect(blocks[0].text.text).toContain(' | 🚨 p99 &gt; 1s &lt;!channel&gt;>*\nGroup: "a:&lt;!channel&gt;"')
    expect(blocks[0].text.text).toContain('<!here> &lt;!channel&gt; "it\'s "x"=`y`"')
    expect(blocks[0].text.text).toContain("\n```\n&lt;!everyone&gt; &amp; ''' done\n```")
  })

  test('of Slack fits into a block', () => {
    const samples = Array.from({ length: 5 }, () => '<'.repeat(600))
    const { payload } = render({ service: 'slack', alert: { message: 'm'.repeat(900) }, samples })
    const { text } = JSON.parse(payload ?? '').blocks[0].text
    expect(text.length).toBeLessThanOrEqual(3000)
    expect(text).toMatch(/lt;…\n```$/)
  })

  test('has the variables of newer deployments', () => {
    const body =
      '{{alertId}} {{status}} {{alertType}} {{comparator}} {{threshold}} {{value}} {{groupKey}} {{sourceQuery}} {{teamId}} {{note}} ' +
      '{{startTimeISO}} {{endTimeISO}} {{thresholdMax}}{{#unless (eq thresholdMax undefined)}}range{{/unless}}'
    expect(render({ body, event: grouped }).payload).toBe(
      'a1 firing dashboard_chart >= 10.5 12.345 service:checkout level:error t1 Call \\"Ann\\" ' +
        '2026-11-05T13:04:00.000Z 2026-11-05T13:09:00.000Z ',
    )
    const range = { thresholdType: 'between', thresholdMax: 0 }
    expect(render({ body, alert: range }).payload).toMatch(/ between 10.5 .* 0range$/)
  })

  test('that is empty is kept, and one that cannot be rendered is none', () => {
    expect(render({ body: '' })).toMatchObject({ payload: '', problems: [] })
    expect(render({ body: '{{#each}}' })).toMatchObject({ payload: null, problems: [expect.stringMatching(/^Body /)] })
    const long = '{{#each (lookup this "title")}}{{/each}}' + '{{body}}'.repeat(1000)
    expect(render({ body: long, alert: { message: 'x'.repeat(4000) } })).toMatchObject({
      payload: null,
      problems: ['Body template: the body is longer than 256 KiB'],
    })
  })

  test.each([...Object.entries(bodyTemplates), ...emailGateways.map(({ id, body }) => [id, body] as const)])(
    'of the template for %s is JSON',
    (_, body) => {
      for (const state of ['ALERT', 'OK'] as const) {
        const alert = { name: 'Quote " and \\ and\nline', message: 'tab\t"' }
        const { payload, problems } = render({ body, alert, event: { ...grouped, state }, samples: ['"a"\u2028'] })
        expect(problems).toEqual([])
        const written: unknown = JSON.parse(payload ?? '')
        expect(JSON.stringify(written)).toContain('Quote \\" and \\\\ and\\nline')
      }
    },
  )
})
