import type { ReactNode } from 'react'
import { formatError } from '#console/api/errors.ts'
import type { Names } from '#console/usages/alertNames.ts'
import { receiverName } from '#domain/alerting/receivers/receiverKinds.ts'
import { formatValue, type Unit } from '#domain/charts/units.ts'
import { counted } from '#domain/text/words.ts'
import { Text } from '#console/ui/base/Text.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { StatusChip, type ChipTone } from '#console/ui/StatusChip.tsx'
import { formatMoment } from '#console/ui/time/formatTime.ts'
import type { AlertTestResult } from '#contract/stack/alertTests.ts'
import type { AlertTest } from './useAlertTest.ts'
import * as css from '../alerts.module.css'

interface AlertTestStepsProps {
  test: Pick<AlertTest, 'pending' | 'result' | 'error'>
  names: Names
  /** The unit of the values. */
  unit: Unit
}

/** The steps of a test, each with its result, or the reason where it stopped. */
export function AlertTestSteps({ test: { pending, result, error }, names, unit }: AlertTestStepsProps) {
  if (pending) {
    return (
      <Text color="textSecondary" role="status">
        Reading the newest window, and sending its message…
      </Text>
    )
  }
  if (error) return <SubmitError error={formatError(error)} />
  if (!result) return null
  return (
    <>
      <Notice {...summaryOf(result)} role="status" />
      <ol className={css.testSteps} aria-label="Steps of the test">
        <QueryStep query={result.query} unit={unit} />
        <ConditionStep condition={result.condition} />
        <MessageStep message={result.message} />
        {result.deliveries?.map((delivery) => (
          <DeliveryStep key={delivery.webhookId} delivery={delivery} names={names} />
        )) ?? <Step title="Delivery" state={notReached} />}
      </ol>
    </>
  )
}

/** The result in short. */
function summaryOf({ query, condition, deliveries }: AlertTestResult): {
  tone: 'success' | 'warning' | 'error'
  children: string
} {
  if (query.error) return { tone: 'error', children: 'The query failed. Nothing was sent.' }
  if (!deliveries) return { tone: 'warning', children: 'There was no value to send a message about. Nothing was sent.' }
  const delivered = deliveries.filter((delivery) => delivery.delivered).length
  const fires = condition?.state === 'ALERT' ? 'The alert would fire now' : 'The alert would not fire now'
  const all = deliveries.length
  const sent =
    all === 1
      ? `the message was ${delivered === 1 ? '' : 'not '}delivered`
      : `${delivered} of ${counted(all, 'message')} ${delivered === 1 ? 'was' : 'were'} delivered`
  return { tone: delivered === all ? 'success' : 'error', children: `${fires}, and ${sent}.` }
}

interface StepState {
  tone: ChipTone
  label: string
}

const notReached: StepState = { tone: 'neutral', label: 'Not reached' }

interface StepProps {
  title: string
  state: StepState
  /** Milliseconds. */
  duration?: number | undefined
  children?: ReactNode
}

function Step({ title, state, duration, children }: StepProps) {
  return (
    <li className={css.testStep}>
      <div className={css.testHead}>
        <strong>{title}</strong> <StatusChip tone={state.tone}>{state.label}</StatusChip>
        {duration !== undefined && <span className={css.quiet}>{duration} ms</span>}
      </div>
      {children && <div className={css.testDetail}>{children}</div>}
    </li>
  )
}

/** Groups that are listed. */
const maxShown = 5

function QueryStep({ query, unit }: { query: AlertTestResult['query']; unit: Unit }) {
  const { start, end, value, windows, groups, groupsTotal, duration, error } = query
  if (error) {
    return (
      <Step title="Query" state={{ tone: 'bad', label: 'Failed' }}>
        {error.message}
      </Step>
    )
  }
  return (
    <Step title="Query" state={{ tone: 'ok', label: 'Read' }} duration={duration}>
      {start !== undefined && end !== undefined && `Window from ${formatMoment(start)} to ${formatMoment(end)}`}
      {windows !== undefined && windows > 1 && `, the last of ${windows}`}
      {value !== null && value !== undefined && `: ${formatValue(value, unit)}`}
      {groups && groups.length > 0 && (
        <ul className={css.testGroups}>
          {groups.slice(0, maxShown).map(({ group, value: groupValue, state }) => (
            <li key={group}>
              <code>{group}</code> {formatValue(groupValue, unit)}
              {state !== 'OK' && <span className={css.quiet}> ({state === 'ALERT' ? 'fires' : 'pending'})</span>}
            </li>
          ))}
          {(groupsTotal ?? groups.length) > maxShown && (
            <li className={css.quiet}>and {(groupsTotal ?? groups.length) - maxShown} more groups</li>
          )}
        </ul>
      )}
    </Step>
  )
}

const states: Record<string, StepState> = {
  ALERT: { tone: 'bad', label: 'Would fire' },
  PENDING: { tone: 'warn', label: 'Would be pending' },
  OK: { tone: 'ok', label: 'Would not fire' },
}

function ConditionStep({ condition }: Pick<AlertTestResult, 'condition'>) {
  if (!condition) return <Step title="Condition" state={notReached} />
  const state = states[condition.state] ?? { tone: 'neutral', label: condition.state }
  return (
    <Step title="Condition" state={state}>
      {condition.text}
    </Step>
  )
}

function MessageStep({ message }: Pick<AlertTestResult, 'message'>) {
  if (!message) return <Step title="Message" state={notReached} />
  const { title, body, problems = [] } = message
  return (
    <Step
      title="Message"
      state={problems.length > 0 ? { tone: 'warn', label: 'With problems' } : { tone: 'ok', label: 'Rendered' }}
    >
      {problems.map((problem) => (
        <Notice key={problem} tone="warning">
          {problem}
        </Notice>
      ))}
      <div className={css.testMessage}>
        <strong>{title}</strong>
        <div>{body}</div>
      </div>
    </Step>
  )
}

type Delivery = NonNullable<AlertTestResult['deliveries']>[number]

function DeliveryStep({ delivery, names }: { delivery: Delivery; names: Names }) {
  const { webhookId, webhookName, service = '', url, delivered, reason, answer, duration, resolved } = delivery
  const receiver = receiverName(names.webhooks?.get(webhookId) ?? { service, url })
  return (
    <Step
      title={`Delivery to ${webhookName ?? webhookId}${receiver && ` (${receiver})`}`}
      state={delivered ? { tone: 'ok', label: 'Delivered' } : { tone: 'bad', label: 'Failed' }}
      duration={duration}
    >
      {reason}
      {resolved === true && ' The incident that it opened was resolved.'}
      {resolved === false && ' The incident that it opened could not be resolved: resolve it there.'}
      {answer && (
        <>
          {' '}
          Answer: <code className={css.testAnswer}>{answer}</code>
        </>
      )}
    </Step>
  )
}
