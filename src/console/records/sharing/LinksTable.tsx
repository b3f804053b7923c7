import { counted } from '#domain/text/words.ts'
import { formatBrowser } from '#console/shell/session/browserName.ts'
import { revokeSharedLink } from '#console/api/gateway/sharedLinks.ts'
import { confirm } from '#console/shell/messages/confirm.ts'
import { runWithToast } from '#console/shell/messages/runWithToast.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { SmallTable } from '#console/ui/table/SmallTable.tsx'
import { formatDuration } from '#console/ui/time/formatLength.ts'
import { Timestamp } from '#console/ui/Timestamp.tsx'
import type { Connection } from '#contract/console/connections.ts'
import type { SharedLink } from '#contract/console/sharedLinks.ts'
import * as css from '../records.module.css'

interface LinksTableProps {
  connection: Connection
  links: readonly SharedLink[]
  /** The dashboard whose links come first. */
  dashboardId: string | undefined
}

/** The valid links of a connection. */
export function LinksTable({ connection, links, dashboardId }: LinksTableProps) {
  const isOwn = (link: SharedLink) => link.dashboardId === dashboardId
  const sorted = [...links.filter(isOwn), ...links.filter((link) => !isOwn(link))]
  return (
    <div>
      <Text variant="h3" component="h3" className={css.sharingHeading}>
        Links of {connection.name}
      </Text>
      <SmallTable
        label={`Links of ${connection.name}`}
        heads={['Title', 'Time range', 'Created by', 'Expires', 'Opened', { title: 'Action', hidden: true }]}
      >
        {sorted.map((link) => (
          <tr key={link.id}>
            <td>
              {link.name} {link.problem && <StatusChip tone="warn">off</StatusChip>}
              {link.problem && (
                <Text variant="caption" component="div" color="textSecondary">
                  {link.problem}
                </Text>
              )}
            </td>
            <td>{rangeText(link)}</td>
            <td>{formatBrowser(link.creator)}</td>
            <td>
              <Timestamp iso={link.expiresAt} />
            </td>
            <td>{link.views === 0 ? 'never' : counted(link.views, 'time')}</td>
            <td data-actions>
              <Button
                disabled={connection.writesRefused !== undefined}
                title={connection.writesRefused}
                onClick={() => void revoke(connection.id, link)}
              >
                Revoke
              </Button>
            </td>
          </tr>
        ))}
      </SmallTable>
    </div>
  )
}

function rangeText({ range, snapshot }: SharedLink): string {
  if (snapshot) return 'Snapshot'
  return range.kind === 'moving' ? `Last ${formatDuration(range.length)}` : 'Fixed'
}

async function revoke(connectionId: string, { id, name }: SharedLink): Promise<void> {
  const sure = await confirm({
    title: `Revoke link ${name}?`,
    body: 'Whoever has it sees nothing any more. A snapshot is deleted.',
    action: 'Revoke link',
    danger: true,
  })
  if (!sure) return
  await runWithToast(() => revokeSharedLink(connectionId, id), `Link ${name} revoked`)
}
