import { paths } from '#console/paths/paths.ts'
import { formatAlertSubject, type Names } from '#console/usages/alertNames.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { TextLink } from '#console/shell/LinkButton.tsx'
import type { Unit } from '#domain/charts/units.ts'
import { CopyId } from '#console/ui/actions/CopyId.tsx'
import { DescriptionList } from '#console/ui/DescriptionList.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { Timestamp } from '#console/ui/Timestamp.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { channelsOf, type Alert } from '#contract/stack/alerts.ts'
import { formatCondition } from '../alertLabels.ts'
import { fieldTitles } from '../formFields.ts'
import { ChannelName } from '../ChannelName.tsx'
import * as css from './alertDetail.module.css'
import { Notice } from '#console/ui/Notice.tsx'
import { executionProblems } from '#console/usages/executionProblems.ts'
import { Skeleton } from '#console/ui/base/Skeleton.tsx'
import { visible } from '#console/ui/base/visible.ts'
import { VisuallyHidden } from '#console/ui/base/VisuallyHidden.tsx'
import * as base from '#console/ui/base/base.module.css'
import type { Fact } from './model/facts.ts'

// Few alerts have a note.
const Markdown = lazyComponent(async () => (await import('#console/ui/Markdown.tsx')).Markdown)

interface PanelProps {
  alert: Alert
  names: Names
}

/** The query, schedule and threshold of an alert. */
export function QueryPanel({ alert, names, unit }: PanelProps & { unit: Unit }) {
  const connection = useConnection()
  const dashboard = names.dashboards.get(alert.dashboardId ?? '')
  return (
    <Panel title="Query and condition">
      <DescriptionList
        rows={[
          [
            alert.source === 'saved_search' ? fieldTitles.savedSearchId : fieldTitles.tileId,
            dashboard ? (
              <TextLink key="board" to={paths.dashboard(connection.id, dashboard.id)}>
                {formatAlertSubject(alert, names)}
              </TextLink>
            ) : (
              formatAlertSubject(alert, names)
            ),
          ],
          ['Condition', formatCondition(alert, unit)],
          [fieldTitles.numConsecutiveWindows, alert.numConsecutiveWindows],
          [fieldTitles.groupBy, alert.groupBy && <code key="group">{alert.groupBy}</code>],
          [
            fieldTitles.scheduleOffsetMinutes,
            alert.scheduleOffsetMinutes ? `${alert.scheduleOffsetMinutes} min` : null,
          ],
          [fieldTitles.scheduleStartAt, alert.scheduleStartAt],
        ]}
      />
    </Panel>
  )
}

/** The channels of an alert, and the notification text. */
export function NotificationsPanel({ alert, names }: PanelProps) {
  return (
    <Panel title="Notifications">
      <DescriptionList
        rows={[
          [fieldTitles.channels, <Channels key="channels" alert={alert} names={names} />],
          [
            fieldTitles.renotifyIntervalMinutes,
            alert.renotifyIntervalMinutes == null ? null : `${alert.renotifyIntervalMinutes} min`,
          ],
          [
            fieldTitles.message,
            alert.message && (
              <div key="message" className={css.alertMessage}>
                {alert.message}
              </div>
            ),
          ],
          [fieldTitles.note, alert.note && <Markdown key="note" text={alert.note} />],
        ]}
      />
    </Panel>
  )
}

function Channels({ alert, names }: PanelProps) {
  const channels = channelsOf(alert)
  if (channels.length === 0) return 'None: no notifications are sent'
  return (
    <ul className={css.channels}>
      {channels.map((channel, at) => (
        <li key={at}>
          <ChannelName channel={channel} names={names} />
          {names.webhooks?.has(channel.webhookId ?? '') && (
            <span className={css.channelType}>{` (${channel.type})`}</span>
          )}
        </li>
      ))}
    </ul>
  )
}

/** The ID of an alert, and when it was created and changed. */
export function RecordFacts({ alert: { id, createdAt, updatedAt } }: { alert: Alert }) {
  return (
    <Panel title="Details">
      <DescriptionList
        rows={[
          ['ID', <CopyId key="id" id={id} />],
          ['Created', createdAt && <Timestamp key="created" iso={createdAt} />],
          ['Updated', updatedAt && <Timestamp key="updated" iso={updatedAt} />],
        ]}
      />
    </Panel>
  )
}

/** Errors of the last evaluation and of its notifications. */
export function ExecutionErrors({ alert }: { alert: Alert }) {
  return executionProblems(alert).map(({ tone, title, state, errors }) => (
    <Notice key={title} tone={tone}>
      <strong>{title}</strong> {state}
      <ul className={css.errors}>
        {errors.map((error, at) => (
          <li key={at}>
            {error.type} <Timestamp iso={error.timestamp} />: {error.message}
          </li>
        ))}
      </ul>
    </Notice>
  ))
}

/** Facts beside each other, each with its label. */
export function FactStrip({ facts, note }: { facts: readonly Fact[]; note?: string | undefined }) {
  return (
    <section aria-label="Facts" className={base.card}>
      <dl className={css.factStripFacts}>
        {facts.map(({ label, value, tone }) => (
          <div key={label} className={css.fact}>
            <dt>{label}</dt>
            <dd data-tone={tone}>{value === null ? <Reading /> : visible(value)}</dd>
          </div>
        ))}
      </dl>
      {note && <div className={css.factStripNote}>{note}</div>}
    </section>
  )
}

/** The place of a value that is still being read. */
function Reading() {
  return (
    <>
      <Skeleton width={88} />
      <VisuallyHidden>being read</VisuallyHidden>
    </>
  )
}
