import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bodyTemplates } from '../receivers/bodyTemplates.ts'
import type { ReceiverKind } from '../receivers/receiverKinds.ts'
import { cutMarkup, shortened } from './cutText.ts'
import type { NotificationInput } from './notified.ts'
import { fitted } from './receiverLimits.ts'
import { renderNotification } from './renderNotification.ts'

const family = '👩‍👩‍👧‍👦'
const text = fc.array(
  fc.constantFrom('a', 'é', 'e\u0301', '漢', '🔥', family, '\\', '"', '*', '\n', '&', '```', '🇩🇪'),
  {
    maxLength: 3000,
  },
)
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const charactersOf = (one: string) => [...graphemes.segment(one)].map(({ segment }) => segment)

const input = (
  service: string,
  body: string | undefined,
  changes: Partial<NotificationInput['alert']> = {},
  value = 'x',
): NotificationInput => ({
  alert: {
    id: 'a',
    threshold: 1,
    thresholdType: 'above',
    interval: '5m',
    source: 'tile',
    dashboardId: 'd',
    tileId: 't',
    ...changes,
  },
  event: {
    alertId: 'a',
    state: 'ALERT',
    groupKey: `service:${value}`,
    group: { service: value },
    value: 2,
    start: 0,
    end: 300_000,
  },
  watched: { name: 'Errors', dashboard: 'Shop' },
  samples: [],
  consoleUrl: 'https://console.example',
  eventId: 'e',
  service,
  body,
})
const sent = (id: ReceiverKind, changes: Partial<NotificationInput['alert']>, value?: string) => {
  const { payload, problems } = renderNotification(
    input(id === 'slack' ? 'slack' : 'generic', bodyTemplates[id], changes, value),
  )
  expect(problems).toEqual([])
  return JSON.parse(payload ?? '')
}

test('texts are cut between characters, to a length', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 40, max: 400 }), (parts, length) => {
      const whole = parts.join('')
      const cut = shortened(whole, length)
      expect(cut.length).toBeLessThanOrEqual(length)
      if (whole.length <= length) expect(cut).toBe(whole)
      else
        expect(
          charactersOf(whole)
            .slice(0, charactersOf(cut).length - 1)
            .join(''),
        ).toBe(cut.slice(0, -1))
    }),
  )
  expect(shortened('e' + '\u0301'.repeat(900), 100)).toHaveLength(100)
  expect(shortened(family, 4).isWellFormed()).toBe(true)
})

test('markup is cut outside of entities, escapes and code blocks', () => {
  expect(cutMarkup('aaaa&lt;b', 8)).toBe('aaaa…')
  expect(cutMarkup(String.raw`aaaa\*\*\*`, 6)).toBe('aaaa…')
  expect(cutMarkup(String.raw`aaa\\bbb`, 6)).toBe(String.raw`aaa\\…`)
  fc.assert(
    fc.property(text, fc.integer({ min: 20, max: 400 }), (parts, length) => {
      const cut = cutMarkup(parts.join(''), length)
      expect(cut.length).toBeLessThanOrEqual(length)
      if (cut !== parts.join('')) expect(cut.split('```').length % 2).toBe(1)
      expect(cut.isWellFormed()).toBe(true)
    }),
  )
})

describe('bodies', () => {
  test('keep within the limits of their receivers', () => {
    fc.assert(
      fc.property(text, text, fc.integer({ min: 1, max: 9 }), (name, message, times) => {
        const changes = { name: name.join('') || 'n', message: message.join('').repeat(times) }
        const [embed] = sent('discord', changes).embeds
        expect(embed.title.length).toBeLessThanOrEqual(256)
        expect(embed.description.length).toBeLessThanOrEqual(4096)
        expect(Buffer.byteLength(JSON.stringify(sent('teams', changes)))).toBeLessThanOrEqual(28_000)
        const event = sent('pagerduty', changes)
        expect(event.payload.summary.length).toBeLessThanOrEqual(1024)
        expect(event.payload.summary.isWellFormed()).toBe(true)
        const { blocks } = sent('slack', changes)
        expect(blocks[0].text.text.length).toBeLessThanOrEqual(3000)
        expect(blocks[0].text.text.isWellFormed()).toBe(true)
      }),
      { numRuns: 40 },
    )
  })

  test('of Discord have 6,000 characters in all', () => {
    const embed = () => ({
      title: 't'.repeat(300),
      description: 'd'.repeat(5000),
      fields: [{ name: 'n', value: 'v'.repeat(2000) }],
    })
    const { embeds } = JSON.parse(fitted(JSON.stringify({ embeds: [embed(), embed()] })))
    const lengths = embeds.flatMap(({ title, description, fields }: ReturnType<typeof embed>) => [
      title.length,
      description.length,
      ...fields.flatMap(({ name, value }) => [name.length, value.length]),
    ])
    expect(lengths.reduce((sum: number, length: number) => sum + length)).toBeLessThanOrEqual(6000)
    expect(Math.max(...lengths)).toBeLessThanOrEqual(4096)
  })

  test('that fit, and those of nobody known, stay byte for byte', () => {
    const same = [
      '{ "embeds": [{"title": "a"}], "n": 12345678901234567890 }',
      'no JSON',
      '{"text":"x"}',
      '[]',
      'null',
      '{"embeds":7}',
    ]
    for (const body of same) expect(fitted(body)).toBe(body)
  })
})

describe('values of telemetry', () => {
  const link = '[Open](https://evil.example) **x** # `y` <@1> a_b\n- z'

  test.each(['discord', 'teams'] as const)('are no markup in %s', (id) => {
    const written = JSON.stringify(
      sent(
        id,
        { name: '**{{attributes.service}}**', message: '[mine](https://ok.example) {{attributes.service}}' },
        link,
      ),
    )
    const texts = JSON.parse(written)
    const { title, description } = texts.embeds?.[0] ?? {
      title: texts.attachments[0].content.body[0].text,
      description: texts.attachments[0].content.body[1].text,
    }
    const escaped = String.raw`\[Open\]\(https://evil.example\) \*\*x\*\* \# ${'\\`y\\`'} \<@1\> a\_b`
    expect(title).toContain(`**${escaped}`)
    expect(description).toContain(`[mine](https://ok.example) ${escaped}\n${id === 'teams' ? '\n' : ''}\\- z`)
    expect(description).toContain(`Group: "service:${escaped}`)
    expect(description.replaceAll(/\\./g, '')).not.toMatch(/\[Open|<@1/)
  })

  test('compare as they are, and name webhooks as they are', () => {
    const message = '{{#is_match "attributes.service" "a_b"}}same{{/is_match}} @webhook-{{attributes.service}}'
    const { message: written, mentions } = renderNotification(
      input('generic', bodyTemplates.discord, { message }, 'a_b'),
    )
    expect(written).toMatch(/same$/)
    expect(mentions).toEqual([{ type: 'webhook', target: 'a_b' }])
  })

  test('stay as they are for receivers of plain text', () => {
    expect(sent('pagerduty', { name: '{{attributes.service}}' }, link).payload.summary).toContain(link)
  })
})
