import { useMutation, useQuery } from '@tanstack/react-query'
import { MonitorSmartphone, UserRound } from 'lucide-react'
import { connectionsQuery } from '#console/api/connections.ts'
import { accountQuery, changePassword, disconnectProvider, startConnecting } from '#console/api/gateway/people.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { sessionQuery } from '#console/api/session.ts'
import { paths } from '#console/paths/paths.ts'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { Skeleton } from '#console/ui/base/Skeleton.tsx'
import { DescriptionList } from '#console/ui/DescriptionList.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { Column } from '#console/ui/layout/Column.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { type Account, passwordChange, type AccountProvider } from '#contract/console/people.ts'
import { formatError } from '#console/api/errors.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { PasskeysPanel } from './PasskeysPanel.tsx'
import { groupRoleText } from './roleLabels.ts'
import { TokensPanel } from './TokensPanel.tsx'
import * as css from './people.module.css'
import { confirm } from '#console/shell/messages/confirm.ts'
import { runWithToast } from '#console/shell/messages/runWithToast.ts'
import { leaveFor } from '#console/shell/session/providerReturn.ts'
import { Timestamp } from '#console/ui/Timestamp.tsx'
import { SmallTable } from '#console/ui/table/SmallTable.tsx'

export function prefetch(): void {
  void queryClient.prefetchQuery(sessionQuery)
  void queryClient.prefetchQuery(connectionsQuery)
}

/** The caller's own account: roles, password, tokens. */
export default function AccountPage() {
  const { data: session } = useQuery(sessionQuery)
  return (
    <Page
      title="My account"
      lead="How you sign in, your sessions and your personal tokens."
      actions={
        <LinkButton to={paths.sessions()} startIcon={<MonitorSmartphone size={14} aria-hidden />}>
          Sessions
        </LinkButton>
      }
    >
      {!session ? (
        <Skeleton variant="rounded" height={220} />
      ) : session.person ? (
        <OwnAccount />
      ) : (
        <Panel>
          <EmptyState
            icon={UserRound}
            title="You are signed in without an account"
            action={<LinkButton to={paths.people()}>People</LinkButton>}
          >
            You used the sign-in link or the password of the console, which make you its administrator. Personal tokens
            need an account: add yourself under People.
          </EmptyState>
        </Panel>
      )}
    </Page>
  )
}

function OwnAccount() {
  const { data, error, refetch } = useQuery(accountQuery)
  const { data: connections = [] } = useQuery(connectionsQuery)
  if (error) return <QueryError error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton variant="rounded" height={220} />
  const names = new Map(connections.map(({ id, name }) => [id, name]))
  return (
    <Column gap={16}>
      <Panel title="Account">
        <DescriptionList rows={factsOf(data, names)} />
      </Panel>
      <TokensPanel tokens={data.tokens} connections={connections} />
      <PasskeysPanel passkeys={data.passkeys} refused={data.passkeysRefused} />
      {data.providers.length > 0 && <ProvidersPanel providers={data.providers} />}
      <Panel title="Password">
        {data.hasPassword ? (
          <PasswordForm email={data.person.email} />
        ) : (
          <Text color="textSecondary">You have none. To choose one, ask an administrator for a link under People.</Text>
        )}
      </Panel>
    </Column>
  )
}

function factsOf({ person }: Account, names: ReadonlyMap<string, string>) {
  const { name, email, role, roles, fromGroups = [] } = person
  const own = Object.entries(roles).flatMap(([id, role]) => (names.has(id) ? [`${names.get(id)}: ${role}`] : []))
  return [
    ['Name', name],
    ['E-mail', email],
    ['Role', role],
    ['On single connections', own.join(', ')],
    ['Roles from groups', fromGroups.map((group) => groupRoleText(group, names)).join(', ')],
  ] as const
}

const empty = { current: '', password: '' }

/** Changes the caller's own password. */
function PasswordForm({ email }: { email: string }) {
  const { control, handleSubmit, reset } = useSchemaForm(passwordChange, empty)
  const change = useMutation({
    mutationFn: changePassword,
    onSuccess: () => {
      reset(empty)
      toast({ tone: 'ok', text: 'Password changed. Your other sessions have ended.' })
    },
  })
  const submit = handleSubmit((passwords) => change.mutate(passwords))
  return (
    <form
      noValidate
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      {change.error && <SubmitError error={formatError(change.error)} />}
      {/* For password managers. */}
      <input type="hidden" autoComplete="username" value={email} readOnly />
      <TextField
        control={control}
        name="current"
        label="Current password"
        type="password"
        autoComplete="current-password"
      />
      <TextField
        control={control}
        name="password"
        label="New password"
        type="password"
        autoComplete="new-password"
        help="At least 10 characters. All your other sessions end."
      />
      <div>
        <Button type="submit" loading={change.isPending}>
          Change password
        </Button>
      </div>
    </form>
  )
}

/** The providers with which the caller may sign in. */
function ProvidersPanel({ providers }: { providers: readonly AccountProvider[] }) {
  return (
    <Panel title="Sign-in providers" flush>
      <SmallTable
        label="Sign-in providers"
        heads={['Provider', 'Connected', 'Groups', { title: 'Action', hidden: true }]}
      >
        {providers.map((provider) => (
          <tr key={provider.id}>
            <td>{provider.label}</td>
            <td>{provider.connected ? <Timestamp iso={provider.connected.since} /> : 'no'}</td>
            <td>{provider.connected?.groups.join(', ')}</td>
            <td data-actions>
              {provider.connected ? (
                <Button onClick={() => void disconnect(provider)}>Disconnect</Button>
              ) : (
                <Button onClick={() => void connect(provider)}>Connect</Button>
              )}
            </td>
          </tr>
        ))}
      </SmallTable>
    </Panel>
  )
}

async function connect({ id }: AccountProvider): Promise<void> {
  await runWithToast(async () => {
    leaveFor((await startConnecting(id)).url, { connects: true, next: paths.account() })
  })
}

async function disconnect({ id, label }: AccountProvider): Promise<void> {
  const sure = await confirm({
    title: `Disconnect provider ${label}?`,
    body: 'You cannot sign in with it any more, and you lose the roles that you have from its groups.',
    action: 'Disconnect',
    danger: true,
  })
  if (!sure) return
  await runWithToast(() => disconnectProvider(id), `Provider ${label} disconnected`)
}
