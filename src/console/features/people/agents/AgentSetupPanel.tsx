import { useState } from 'react'
import { basePath } from '#console/api/document/basePath.ts'
import { CopyButton } from '#console/ui/actions/CopyButton.tsx'
import { ToggleButtons } from '#console/ui/actions/ToggleButtons.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { Column } from '#console/ui/layout/Column.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { Row } from '#console/ui/layout/Row.tsx'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import { agentKinds, agentLabels, agentPlaces, agentSetup, type AgentKind } from './agentSetup.ts'
import css from './agents.module.css'

/** Configuration for the usual agents. */
export function AgentSetupPanel() {
  const [kind, setKind] = useState<AgentKind>('claudeCode')
  const text = agentSetup(kind, location.origin + basePath)
  return (
    <Panel title="Connect an agent">
      <Column gap={12}>
        <Text color="textSecondary">
          Create a token above, with the role and the connections that the agent needs, and put it in place of
          YOUR_TOKEN.
        </Text>
        <Row>
          <ToggleButtons
            label="Agent"
            value={kind}
            options={agentKinds.map((value) => ({ value, label: agentLabels[value] }))}
            onChange={setKind}
          />
          <CopyButton key={kind} label="Copy" text={text} />
        </Row>
        <Text color="textSecondary">{agentPlaces[kind]}</Text>
        <ScrollRegion as="pre" label={`Configuration for ${agentLabels[kind]}`} className={css.setup}>
          {text}
        </ScrollRegion>
      </Column>
    </Panel>
  )
}
