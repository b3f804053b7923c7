import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { confirm } from '#console/shell/messages/confirm.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { Column } from '#console/ui/layout/Column.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Organization } from '#contract/organizations.ts'
import { useOrganizationUpdate } from './useOrganizationUpdate.ts'

/** Whether the memory of a crashed service may be collected. */
export function CoreDumpsPanel({ organization }: { organization: Organization }) {
  const locked = lockReason(useConnection())
  const { enableCoreDumps } = organization
  const save = useOrganizationUpdate(organization, (change) =>
    change.enableCoreDumps ? 'Core dumps are allowed.' : 'Core dumps are not allowed any more.',
  )
  const toggle = async () => {
    const sure =
      enableCoreDumps ||
      (await confirm({
        title: 'Allow core dumps?',
        body: 'When a service crashes, an image of its memory is kept for support. It may contain data of the service.',
        action: 'Allow core dumps',
      }))
    if (sure) save.mutate({ enableCoreDumps: !enableCoreDumps })
  }
  return (
    <Panel
      title="Core dumps"
      aside={
        <StatusChip tone={enableCoreDumps ? 'warn' : 'neutral'}>
          {enableCoreDumps == null ? 'Not reported' : enableCoreDumps ? 'Allowed' : 'Not allowed'}
        </StatusChip>
      }
    >
      <Column gap={12}>
        <Text color="textSecondary">
          An image of the memory of a service that crashed helps support to find the cause, and may contain data. A
          service has core dumps only if the organization allows them.
        </Text>
        <div>
          <DisabledReason reason={locked}>
            <Button disabled={locked !== undefined} loading={save.isPending} onClick={() => void toggle()}>
              {enableCoreDumps ? 'Forbid core dumps' : 'Allow core dumps'}
            </Button>
          </DisabledReason>
        </div>
      </Column>
    </Panel>
  )
}
