import { useState } from 'react'
import { useConnection } from '#console/shell/connection.tsx'
import { CopyButton } from '#console/ui/actions/CopyButton.tsx'
import { ToggleButtons } from '#console/ui/actions/ToggleButtons.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { Column } from '#console/ui/layout/Column.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { Row } from '#console/ui/layout/Row.tsx'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import type { TeamKeys } from '#contract/stack/team.ts'
import { collectorOf, commandKinds, commandLabels, commandText, type CommandKind } from './telemetryCommands.ts'
import * as css from './team.module.css'

interface TelemetryPanelProps {
  ports: TeamKeys['collector']
  /** The ingestion key as it is shown now: masked, unless somebody asked for it. */
  shown: string
  /** Reads the key for the clipboard. */
  readKey: () => Promise<string>
  /** Why the key cannot be read. */
  locked: string | undefined
}

/** How to send telemetry with the ingestion key. */
export function TelemetryPanel({ ports, shown, readKey, locked }: TelemetryPanelProps) {
  const { baseUrl } = useConnection()
  const [kind, setKind] = useState<CommandKind>('curl')
  const collector = collectorOf(baseUrl, ports)
  if (!collector) {
    return (
      <Panel title="Send telemetry">
        <Text color="textSecondary">
          The collector of this stack does not listen, because it has no telemetry engine. Set CLICKHOUSE_URL.
        </Text>
      </Panel>
    )
  }
  return (
    <Panel title="Send telemetry">
      <Column gap={12}>
        <Text color="textSecondary">
          The collector takes OTLP over HTTP at <code>{collector.http}</code>
          {collector.grpc && (
            <>
              {' '}
              and over gRPC at <code>{collector.grpc}</code>
            </>
          )}
          , with the ingestion key in the header <code>authorization</code>. From other machines, the address of the
          stack may differ.
        </Text>
        <Row>
          <ToggleButtons
            label="Way to send"
            value={kind}
            options={commandKinds.map((value) => ({ value, label: commandLabels[value] }))}
            onChange={setKind}
          />
          {locked === undefined && (
            <CopyButton
              key={kind}
              label="Copy with the key"
              text={async () => commandText(kind, collector, await readKey())}
            />
          )}
        </Row>
        <ScrollRegion as="pre" label={commandLabels[kind]} className={css.telemetryCommand}>
          {commandText(kind, collector, shown)}
        </ScrollRegion>
      </Column>
    </Panel>
  )
}
