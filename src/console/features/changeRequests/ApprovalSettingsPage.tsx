import { useMutation, useQuery } from '@tanstack/react-query'
import { type Control, useWatch } from 'react-hook-form'
import { formatError } from '#console/api/errors.ts'
import { approvalSettingsQuery, testNotification } from '#console/api/gateway/approvals.ts'
import { sessionQuery } from '#console/api/session.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { paths } from '#console/paths/paths.ts'
import { useFrameConnection, useRouteParam } from '#console/shell/connection.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { CheckboxField } from '#console/ui/form/fields/CheckboxField.tsx'
import { PickSeveralField } from '#console/ui/form/fields/PickSeveralField.tsx'
import { SwitchField } from '#console/ui/form/fields/SwitchField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { LoadingPanels } from '#console/ui/layout/LoadingPanels.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { proposingToolLabels, proposingTools } from '#contract/console/agents.ts'
import type { ApprovalSettings } from '#contract/console/approvals.ts'
import type { Connection } from '#contract/console/connections.ts'
import { roleReason } from '#contract/console/consoleRoles.ts'
import { formatMoment } from '#console/ui/time/formatTime.ts'
import { noticeLabel } from './changeRequestLabels.ts'
import { type ApprovalForm, useApprovalForm } from './useApprovalForm.ts'
import * as css from './changeRequests.module.css'

export function prefetch({ connectionId = '' }: Record<string, string>): void {
  void queryClient.prefetchQuery(approvalSettingsQuery(connectionId))
}

const fixedUrlReason =
  'Notifications may go to private addresses, so only administrators of this console can change the URL.'
const refusedPrivateReason = 'Only administrators of this console can allow them.'

/** Whether changes of a connection need a second person, and who is told about it. */
export default function ApprovalSettingsPage() {
  const connectionId = useRouteParam('connectionId')
  const { connections } = useFrameConnection()
  const connection = connections.find(({ id }) => id === connectionId)
  const { data, error, refetch } = useQuery(approvalSettingsQuery(connectionId))
  if (!connection) {
    return (
      <Page title="Approval">
        <EmptyState
          title="Connection not found"
          action={<LinkButton to={paths.connections()}>All connections</LinkButton>}
        >
          It may have been deleted.
        </EmptyState>
      </Page>
    )
  }
  return (
    <Page
      title={`Approval on ${connection.name}`}
      lead="Applies to everybody who uses this connection, tokens included."
    >
      {error && !data && <QueryError error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingPanels heights={[200]} />}
      {data && <Settings connection={connection} settings={data} />}
    </Page>
  )
}

const agentOptions = proposingTools.map((value) => ({ value, label: proposingToolLabels[value] }))

interface SettingsProps {
  connection: Connection
  settings: ApprovalSettings
}

function Settings({ connection, settings }: SettingsProps) {
  const { form, save } = useApprovalForm(connection, settings)
  const refused = connection.role && roleReason(connection.role, 'administrate', connection.stage)
  const panel = { control: form.control, connection, settings, refused }
  return (
    <form
      className={css.settings}
      noValidate
      onSubmit={(event) => void form.handleSubmit((values) => save.mutate(values))(event)}
    >
      {save.error && <SubmitError error={formatError(save.error)} />}
      <TwoPersonPanel {...panel} />
      <AgentsPanel {...panel} />
      <NotificationPanel {...panel} isUrlChanged={Boolean(form.formState.dirtyFields.notificationUrl)} />
      <div className={css.buttons}>
        <DisabledReason reason={refused}>
          <Button
            type="submit"
            variant="contained"
            color="primary"
            loading={save.isPending}
            disabled={!form.formState.isDirty || refused !== undefined}
          >
            Save
          </Button>
        </DisabledReason>
        <LinkButton to={paths.connections()}>All connections</LinkButton>
      </div>
    </form>
  )
}

interface PanelProps extends SettingsProps {
  control: Control<ApprovalForm>
  /** Why the user may not change these settings; undefined if they may. */
  refused: string | undefined
}

function TwoPersonPanel({ control, connection, settings, refused }: PanelProps) {
  const { twoPersonApproval, approvers, obstacle, isProposed } = settings
  const unapprovable = connection.breakGlass?.isMine ? undefined : connection.approvalRefused
  return (
    <Panel title="Two-person approval">
      {isProposed && (
        <Notice tone="info">
          Proposed: this is a production connection, and {approvers.length} people could approve changes.
        </Notice>
      )}
      <SwitchField
        control={control}
        name="twoPersonApproval"
        label="Changes need approval by a second person"
        disabled={refused ?? (twoPersonApproval ? unapprovable : obstacle)}
      />
      <Text color="textSecondary">
        Every change becomes a change request, which somebody else approves
        {approvers.length > 0 && `: ${approvers.join(', ')}`}. In an emergency, break-glass lets one person change it
        for 15 minutes, visibly to all.
      </Text>
      <Text color="textSecondary">
        Tests, and acknowledgements of firing alerts, need no approval. An acknowledged alert does not repeat its
        notification until it is resolved.
      </Text>
      {twoPersonApproval && (
        <Text color="textSecondary">To turn it off, a second administrator has to approve that as well.</Text>
      )}
    </Panel>
  )
}

function AgentsPanel({ control, connection, refused }: PanelProps) {
  const needsSecond = useWatch({ control, name: 'twoPersonApproval' })
  const alwaysApproved =
    connection.stage === 'production'
      ? 'On production, a person always approves.'
      : needsSecond
        ? 'With two-person approval, a second person always approves.'
        : undefined
  return (
    <Panel title="Agents">
      <Text color="textSecondary">
        What agents propose waits for a person who may approve it. Tools that are chosen here change this connection at
        once; what would delete something still waits.
      </Text>
      <PickSeveralField
        control={control}
        name="agentTools"
        label="Tools that agents may use without approval"
        placeholder="None"
        options={agentOptions}
        disabled={refused ?? alwaysApproved}
      />
    </Panel>
  )
}

interface NotificationPanelProps extends PanelProps {
  /** Whether the URL of the form differs from the stored one. */
  isUrlChanged: boolean
}

function NotificationPanel({ control, connection, settings, refused, isUrlChanged }: NotificationPanelProps) {
  const allowPrivate = useWatch({ control, name: 'allowPrivate' })
  const { data: session } = useQuery(sessionQuery)
  const administers = session !== undefined && !session.limited
  const test = useMutation({ mutationFn: () => testNotification(connection.id) })
  const untestable =
    refused ?? (settings.notificationUrl === undefined || isUrlChanged ? 'Save the URL first.' : undefined)
  return (
    <Panel title="Notification">
      <TextField
        control={control}
        name="notificationUrl"
        label="Webhook URL"
        selectsOnFocus
        disabled={refused ?? (administers || !allowPrivate ? undefined : fixedUrlReason)}
        help="Notified when a request is opened, approved, declined or expires, and of break-glass. Slack receives a message, other receivers JSON. The URL is stored encrypted and shown masked."
      />
      <CheckboxField
        control={control}
        name="allowPrivate"
        label="Allow addresses on this machine or in a private network"
        disabled={refused ?? (administers || settings.allowPrivateNotification ? undefined : refusedPrivateReason)}
      />
      <div className={css.buttons}>
        <DisabledReason reason={untestable}>
          <Button disabled={untestable !== undefined} loading={test.isPending} onClick={() => test.mutate()}>
            Send test
          </Button>
        </DisabledReason>
      </div>
      {test.data && (
        <Notice tone={test.data.ok ? 'success' : 'error'} role="status">
          {test.data.message}
        </Notice>
      )}
      {test.error && <SubmitError error={formatError(test.error)} />}
      {settings.deliveries.length > 0 && <Deliveries deliveries={settings.deliveries} />}
    </Panel>
  )
}

/** The last notifications, and whether they were sent. */
function Deliveries({ deliveries }: Pick<ApprovalSettings, 'deliveries'>) {
  return (
    <ul className={`${css.outcomes} ${css.deliveries}`} aria-label="Last notifications">
      {deliveries.map(({ event, at, state, attempts, problem }) => (
        <li key={`${at} ${event}`}>
          <StatusChip tone={state === 'sent' ? 'ok' : state === 'failed' ? 'bad' : 'neutral'}>{state}</StatusChip>{' '}
          {noticeLabel(event)} <span className={css.muted}>{formatMoment(at)}</span>
          {problem !== undefined && (
            <div className={css.muted}>
              {problem} {attempts > 1 && `After ${attempts} attempts.`}
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}
