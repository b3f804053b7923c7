import { Plus } from 'lucide-react'
import { useState } from 'react'
import { revokeToken } from '#console/api/gateway/people.ts'
import { confirm } from '#console/shell/messages/confirm.ts'
import { runWithToast } from '#console/shell/messages/runWithToast.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { Panel, PanelText } from '#console/ui/layout/Panel.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { Timestamp, useNow } from '#console/ui/Timestamp.tsx'
import { SmallTable } from '#console/ui/table/SmallTable.tsx'
import type { Connection } from '#contract/console/connections.ts'
import type { Token, TokenUse } from '#contract/console/people.ts'
import { endsSoon, formatScope } from './tokenScope.ts'

const TokenDialog = lazyComponent(async () => (await import('./TokenDialog.tsx')).TokenDialog)

interface TokensPanelProps {
  tokens: readonly Token[]
  connections: readonly Connection[]
  /** Where new tokens are valid unless another choice is made. */
  validFor?: TokenUse
}

/** The caller's personal tokens. */
export function TokensPanel({ tokens, connections, validFor = 'console' }: TokensPanelProps) {
  const [creating, setCreating] = useState(false)
  const now = useNow()
  return (
    <Panel
      title="Personal tokens"
      flush
      aside={
        <Button
          startIcon={<Plus size={14} aria-hidden />}
          onPointerEnter={TokenDialog.preload}
          onClick={() => setCreating(true)}
        >
          Create token
        </Button>
      }
    >
      {tokens.length === 0 ? (
        <PanelText>
          {validFor === 'agents' ? (
            'No tokens yet. Create one for each agent: its role and connections limit what the agent may do.'
          ) : (
            <>
              No tokens yet. The command line and scripts send one as <code>Authorization: Bearer</code>. It never
              allows more than your own role.
            </>
          )}
        </PanelText>
      ) : (
        <SmallTable
          label="Personal tokens"
          heads={[
            'Name',
            'Ends in',
            'Highest role',
            'Valid for',
            'Connections',
            'Last used',
            'Expires',
            { title: 'Action', hidden: true },
          ]}
        >
          {tokens.map((token) => (
            <tr key={token.id}>
              <td>{token.name}</td>
              <td>
                <code>{token.end}</code>
              </td>
              <td>{token.role}</td>
              <td>{token.validFor === 'agents' ? 'agents only' : 'all'}</td>
              <td>{formatScope(token.connections, connections)}</td>
              <td>{token.usedAt === undefined ? 'never' : <Timestamp iso={token.usedAt} />}</td>
              <td>
                <Timestamp iso={token.expiresAt} /> {endsSoon(token, now) && <StatusChip tone="warn">soon</StatusChip>}
              </td>
              <td data-actions>
                <Button onClick={() => void revoke(token)}>Revoke</Button>
              </td>
            </tr>
          ))}
        </SmallTable>
      )}
      {creating && <TokenDialog connections={connections} validFor={validFor} onClose={() => setCreating(false)} />}
    </Panel>
  )
}

async function revoke({ id, name }: Token): Promise<void> {
  const sure = await confirm({
    title: `Revoke token ${name}?`,
    body: 'Requests with it are refused from now on.',
    action: 'Revoke token',
    danger: true,
  })
  if (!sure) return
  await runWithToast(() => revokeToken(id), `Token ${name} revoked`)
}
