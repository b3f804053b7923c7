import { useNavigate } from '@tanstack/react-router'
import { Scaling, Settings2, Play, RefreshCw, Square } from 'lucide-react'
import { useMemo, useCallback } from 'react'
import { ResourceLoader } from '#console/records/record/RecordLoader.tsx'
import { pipeReads, pipeResource, pipeKey } from './model/pipeResource.ts'
import { paths } from '#console/paths/paths.ts'
import { ChangeHistory } from '#console/records/pendingChanges/ChangeHistory.tsx'
import { useConnection, useRouteParam } from '#console/shell/connection.tsx'
import { RecordPage } from '#console/records/record/RecordDetail.tsx'
import type { PageAction } from '#console/shell/pageActions.ts'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { CopyId } from '#console/ui/actions/CopyId.tsx'
import { DescriptionList } from '#console/ui/DescriptionList.tsx'
import { Timestamp } from '#console/ui/Timestamp.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { PanelGrid } from '#console/ui/layout/PanelGrid.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { pipeFamilies, pipeKind } from '#contract/cloud/pipeKinds.ts'
import { type Pipe, pipes, type PipeCommand } from '#contract/cloud/pipes/pipes.ts'
import { Column } from '#console/ui/layout/Column.tsx'
import { capitalized, counted } from '#domain/text/words.ts'
import { LivePanels } from './metrics/LivePanels.tsx'
import { SizeAssessmentNotice } from './metrics/SizeAssessmentNotice.tsx'
import { PipeTables } from './detail/PipeMappings.tsx'
import { QueryTable } from './detail/QueryTable.tsx'
import { SettingsPanel } from './settings/SettingsPanel.tsx'
import { sourceFacts, maskSecrets } from './model/sourceFacts.ts'
import { useLiveMetrics } from './metrics/useLiveMetrics.ts'
import {
  formatPipeKind,
  formatScaling,
  stateLabel,
  stateTone,
  commandReason,
  pipeCommandLabels,
  pipeName,
} from './model/pipeLabels.ts'
import { hasBadRecords } from './model/streamKinds.ts'
import { call } from '#console/api/call.ts'
import { q } from '#console/api/queries.ts'
import { lockReason } from '#console/shell/lockReason.ts'
import { useStateCommand } from '#console/records/pendingChanges/useStateCommand.ts'
import type { Action } from '#console/ui/actions/actions.ts'

export { pipeReads as reads }

export default function PipePage() {
  return <ResourceLoader resource={pipeResource}>{(pipe) => <PipeDetail pipe={pipe} />}</ResourceLoader>
}

const StreamPanels = lazyComponent(async () => (await import('./stream/StreamPanels.tsx')).StreamPanels)

/** The details of one pipe: source, destination, settings, utilization and charts. */
function PipeDetail({ pipe }: { pipe: Pipe }) {
  const connection = useConnection()
  const live = useLiveMetrics(
    useMemo(() => [pipe], [pipe]),
    pipeKey(connection.id, pipe.id),
  )
  return (
    <RecordPage
      resource={pipeResource}
      record={pipe}
      shown={maskSecrets(pipe)}
      state={
        <>
          <StatusChip tone={stateTone(pipe.state)}>{stateLabel(pipe.state)}</StatusChip>
          <StatusChip tone="neutral">{formatPipeKind(pipe)}</StatusChip>
        </>
      }
      lead={`Loads data from ${formatPipeKind(pipe)} into ${formatDestination(pipe)}.`}
      actions={useCommands(pipe)}
      moreActions={useLinks(pipe)}
    >
      <Column>
        {pipe.stateDetail && (
          <Notice tone={stateTone(pipe.state) === 'bad' ? 'error' : 'info'}>{sentence(pipe.stateDetail)}</Notice>
        )}
        <SizeAssessmentNotice live={live} />
        <PanelGrid>
          <Column>
            <Panel title="Source">
              <DescriptionList rows={sourceFacts(pipe)} />
            </Panel>
            <Panel
              title="Destination"
              aside={pipe.destination?.table && <QueryTable pipe={pipe} table={pipe.destination.table} />}
            >
              <DestinationFacts pipe={pipe} />
            </Panel>
            {hasBadRecords(pipe) && <StreamPanels pipe={pipe} />}
            <PipeTables pipe={pipe} />
            <SettingsPanel pipe={pipe} />
            <Panel title="Details">
              <DescriptionList
                rows={[
                  ['Size', formatScaling(pipeKind(pipe), pipe.scaling) || 'not reported'],
                  ['ID', <CopyId key="id" id={pipe.id} />],
                  ['Created', pipe.createdAt && <Timestamp key="created" iso={pipe.createdAt} />],
                  ['Updated', pipe.updatedAt && <Timestamp key="updated" iso={pipe.updatedAt} />],
                ]}
              />
            </Panel>
            <Panel title="Recent changes" aside="Made in this browser">
              <ChangeHistory resource={pipeKey(connection.id, pipe.id)} />
            </Panel>
          </Column>
          <LivePanels live={live} />
        </PanelGrid>
      </Column>
    </RecordPage>
  )
}

function useCommands(pipe: Pipe): PageAction[] {
  const { commandAction } = usePipeCommand()
  return useMemo(() => {
    const kind = pipeKind(pipe)
    const isDatabase = kind === null || pipeFamilies[kind] === 'database'
    const commands = ['start', 'stop', ...(isDatabase ? ['resync' as const] : [])] as const
    return commands.map((command) => commandAction(pipe, command))
  }, [commandAction, pipe])
}

function useLinks({ id }: Pipe): PageAction[] {
  const { id: connectionId } = useConnection()
  const serviceId = useRouteParam('serviceId')
  const navigate = useNavigate()
  return useMemo(
    () => [
      {
        label: 'Settings',
        icon: Settings2,
        run: () => void navigate({ to: paths.pipeSettings(connectionId, serviceId, id) }),
      },
      {
        label: 'Scale',
        icon: Scaling,
        key: 's',
        primary: true,
        run: () => void navigate({ to: paths.scalePipe(connectionId, serviceId, id) }),
      },
    ],
    [connectionId, id, navigate, serviceId],
  )
}

function DestinationFacts({ pipe: { destination } }: { pipe: Pipe }) {
  const { engine, sortingKey, partitionBy, primaryKey } = destination?.tableDefinition ?? {}
  return (
    <DescriptionList
      rows={[
        ['Database', destination?.database],
        ['Table', destination?.table],
        ['Managed table', yesNo(destination?.managedTable)],
        ['Engine', engine?.type],
        ['Sorting key', sortingKey?.join(', ')],
        ['Partition by', partitionBy],
        ['Primary key', primaryKey],
      ]}
    />
  )
}

const yesNo = (value: boolean | null | undefined) => (value == null ? null : value ? 'yes' : 'no')

function formatDestination({ destination, source }: Pipe): string {
  const tables = source?.postgres?.tableMappings?.length
  if (destination?.table) return `${destination.database ?? 'default'}.${destination.table}`
  const where = `the database ${destination?.database ?? 'default'}`
  return tables ? `${counted(tables, 'table')} of ${where}` : where
}

const sentence = (text: string) => `${capitalized(text)}${/[.!?]$/.test(text) ? '' : '.'}`

const commandIcons = { start: Play, stop: Square, resync: RefreshCw }

/** The actions that start, stop or resync a pipe after a confirmation. */
function usePipeCommand(): { commandAction: (pipe: Pipe, command: PipeCommand) => Action } {
  const connection = useConnection()
  const { id: connectionId } = connection
  const serviceId = useRouteParam('serviceId')
  const { pending, runStateCommand } = useStateCommand()
  const runCommand = useCallback(
    (pipe: Pipe, command: PipeCommand) => {
      const params = { serviceId, dataPipeId: pipe.id }
      return runStateCommand({
        resource: 'pipes',
        logKey: pipeKey(connectionId, pipe.id),
        queryKey: q(connectionId, pipes.get, { params }).queryKey,
        name: pipeName(pipe),
        noun: 'pipe',
        ...pipeCommandLabels[command],
        state: stateLabel(pipe.state),
        send: async () => {
          const record = await call(connectionId, pipes.state, { params, body: { command } })
          return { record, state: stateLabel(record.state) }
        },
      })
    },
    [connectionId, runStateCommand, serviceId],
  )
  const commandAction = useCallback(
    (pipe: Pipe, command: PipeCommand): Action => ({
      label: pipeCommandLabels[command].label,
      icon: commandIcons[command],
      disabled:
        lockReason(connection) ?? commandReason(pipe, command) ?? (pending ? 'A request is in progress.' : undefined),
      run: () => void runCommand(pipe, command),
    }),
    [connection, pending, runCommand],
  )
  return { commandAction }
}
