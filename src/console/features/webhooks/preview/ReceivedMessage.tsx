import type { ReactNode } from 'react'
import { Marked } from './Marked.tsx'
import type { Message } from './messages.ts'
import * as css from '../webhooks.module.css'

/** A message as its receiver shows it. */
export function ReceivedMessage(props: Message) {
  switch (props.kind) {
    case 'slack':
      return <SlackMessage {...props.message} />
    case 'teams':
      return <TeamsCard {...props.message} />
    case 'discord':
      return <DiscordMessage {...props.message} />
    case 'pagerduty':
      return <PagerDutyEvent {...props.message} />
    case 'incidentio':
      return <IncidentAlert {...props.message} />
    case 'email':
      return <EmailMessage {...props.message} />
  }
}

type Of<Kind extends Message['kind']> = Extract<Message, { kind: Kind }>['message']

/** The sender beside a message of a chat. */
function ChatMessage({ name, tag, children }: { name: string; tag: string; children: ReactNode }) {
  return (
    <div className={css.chat}>
      <div className={css.avatar} aria-hidden>
        {name.charAt(0)}
      </div>
      <div className={css.chatBody}>
        <div>
          <strong>{name}</strong> <span className={css.tag}>{tag}</span>
        </div>
        {children}
      </div>
    </div>
  )
}

/** Blocks take the place of the text, which is that of the notification. */
function SlackMessage({ text, blocks }: Of<'slack'>) {
  const shown = blocks.flatMap((block) => block.text ?? [])
  return (
    <ChatMessage name="Alerts" tag="APP">
      {shown.length === 0 && <Marked text={text} dialect="slack" />}
      {shown.map((block, at) => (
        <div key={at}>{block.type === 'mrkdwn' ? <Marked text={block.text} dialect="slack" /> : block.text}</div>
      ))}
    </ChatMessage>
  )
}

function TeamsCard({ attachments }: Of<'teams'>) {
  return (
    <ChatMessage name="Workflows" tag="via Power Automate">
      {attachments.map(({ content }, at) => (
        <div key={at} className={css.previewCard}>
          {content.body.map((block, index) =>
            block.type === 'TextBlock' ? (
              <div key={index} data-size={block.size} data-weight={block.weight} data-color={block.color}>
                <Marked text={block.text} dialect="teams" />
              </div>
            ) : (
              <div key={index} className={css.tag}>
                {block.type}
              </div>
            ),
          )}
          {content.actions.map(({ title }) => (
            <span key={title} className={css.previewButton}>
              {title}
            </span>
          ))}
        </div>
      ))}
    </ChatMessage>
  )
}

function DiscordMessage({ content, embeds }: Of<'discord'>) {
  return (
    <ChatMessage name="Alerts" tag="APP">
      {content && <Marked text={content} dialect="discord" />}
      {embeds.map(({ title, description, url, color, fields }, at) => (
        <div
          key={at}
          className={css.embed}
          {...(color !== undefined && { style: { borderInlineStartColor: colorOf(color) } })}
        >
          <div className={url ? css.previewLink : undefined}>
            <strong>
              <Marked text={title} dialect="discord" />
            </strong>
          </div>
          <Marked text={description} dialect="discord" />
          {fields.map(({ name, value }) => (
            <div key={name}>
              <strong>{name}</strong> <Marked text={value} dialect="discord" />
            </div>
          ))}
        </div>
      ))}
    </ChatMessage>
  )
}

const colorOf = (color: number) => `#${Math.trunc(color).toString(16).padStart(6, '0').slice(-6)}`

function PagerDutyEvent({ event_action: action, payload, links }: Of<'pagerduty'>) {
  const details = Object.entries(payload.custom_details).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return (
    <Incident
      state={action === 'resolve' ? 'Resolved' : action === 'acknowledge' ? 'Acknowledged' : 'Triggered'}
      urgency={payload.severity}
      title={payload.summary}
      rows={[['Source', payload.source], ['Component', payload.component], ...details]}
      link={links[0]?.text ?? ''}
    />
  )
}

function IncidentAlert({ title, description, status, source_url: url }: Of<'incidentio'>) {
  return (
    <Incident
      state={status === 'resolved' ? 'Resolved' : 'Firing'}
      urgency=""
      title={title}
      rows={[['Description', description]]}
      link={url && 'View in source'}
    />
  )
}

interface IncidentProps {
  state: string
  urgency: string
  title: string
  rows: readonly (readonly [name: string, value: string])[]
  link: string
}

function Incident({ state, urgency, title, rows, link }: IncidentProps) {
  return (
    <div className={css.incident}>
      <div>
        <span className={css.previewState} data-resolved={state === 'Resolved' || undefined}>
          {state}
        </span>{' '}
        {urgency && <span className={css.tag}>{urgency}</span>}
      </div>
      <strong>{title}</strong>
      <dl className={css.previewRows}>
        {rows
          .filter(([, value]) => value !== '')
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      {link && <span className={css.previewLink}>{link}</span>}
    </div>
  )
}

function EmailMessage({ from, to, subject, text }: Of<'email'>) {
  return (
    <div className={css.incident}>
      <strong>{subject}</strong>
      <dl className={css.previewRows}>
        <div>
          <dt>From</dt>
          <dd>{from || '(no sender yet)'}</dd>
        </div>
        <div>
          <dt>To</dt>
          <dd>{to || '(no recipient yet)'}</dd>
        </div>
      </dl>
      <div className={css.mailText}>{text}</div>
    </div>
  )
}
