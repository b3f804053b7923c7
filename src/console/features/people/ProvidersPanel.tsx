import { disconnectProvider, startConnecting } from '#console/api/gateway/people.ts'
import { paths } from '#console/paths/paths.ts'
import { confirm } from '#console/shell/messages/confirm.ts'
import { runWithToast } from '#console/shell/messages/runWithToast.ts'
import { leaveFor } from '#console/shell/session/providerReturn.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { Timestamp } from '#console/ui/Timestamp.tsx'
import { SmallTable } from '#console/ui/table/SmallTable.tsx'
import type { AccountProvider } from '#contract/console/people.ts'

/** The providers with which the caller may sign in. */
export function ProvidersPanel({ providers }: { providers: readonly AccountProvider[] }) {
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
