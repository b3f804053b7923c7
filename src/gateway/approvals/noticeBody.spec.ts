import { describe, expect, test } from 'vitest'
import { noticeBody, type Notice } from './noticeBody.ts'

const notice: Notice = {
  event: 'changeRequest.opened',
  at: '2026-11-19T14:02:11.000Z',
  connection: { id: 'prod', name: 'Production EU', stage: 'production' },
  actor: 'Jana <!channel> & Novak',
  reason: 'See <https://evil.example|the runbook>',
  request: { number: 58, title: 'Follow the pool', requester: 'Jana' },
  link: 'https://console.example/change-requests/58',
}

describe.each(['https://hooks.slack.com/services/T/B/x', 'https://hooks.slack-gov.com/services/T/B/x'])(
  'to %s',
  (url) => {
    test('is a message with a link, in which texts of people are no markup', () => {
      const { text, blocks } = JSON.parse(noticeBody(notice, url))
      const title =
        'Jana &lt;!channel&gt; &amp; Novak asks for approval on Production EU: change request 58, Follow the pool'
      expect(text).toBe(title)
      expect(blocks).toEqual([
        {
          type: 'section',
          text: {
            type: 'mrkdwn',
            text: `*<${notice.link} | ${title}>*\nSee &lt;https://evil.example|the runbook&gt;`,
          },
        },
      ])
    })
  },
)

test.each(['https://hooks.example/slack.com', 'https://notslack.com/x', 'https://slack.com.evil.example/x'])(
  'to %s it is JSON with the texts as they are',
  (url) => {
    expect(JSON.parse(noticeBody(notice, url))).toMatchObject({ event: notice.event, reason: notice.reason })
  },
)
