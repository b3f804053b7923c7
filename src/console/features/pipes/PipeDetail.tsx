import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useNavigate } from '@tanstack/react-router'
import { Pencil, Play, RefreshCw, Scaling, Settings2, Square, Trash2 } from 'lucide-react'
import { useMemo } from 'react'
import { curlOf } from '#console/api/curl.ts'
import { paths } from '#console/paths.ts'
import { ChangeHistory } from '#console/shell/ChangeHistory.tsx'
import { useConnection, useRouteParam } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { usePageActions, type PageAction } from '#console/shell/pageActions.ts'
import { CopyButton } from '#console/ui/CopyButton.tsx'
import { CopyId } from '#console/ui/CopyId.tsx'
import { Facts } from '#console/ui/Facts.tsx'
import { JsonView } from '#console/ui/JsonView.tsx'
import { Moment } from '#console/ui/Moment.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { Page } from '#console/ui/Page.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Reasoned } from '#console/ui/Reasoned.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { stringifyJson } from '#contract/json.ts'
import { pipeFamilies, pipeKind } from '#contract/pipeKinds.ts'
import { pipes, type Pipe, type PipeCommand } from '#contract/pipes.ts'
import { LivePanels } from './LivePanels.tsx'
import { PipeTables } from './PipeTables.tsx'
import { SettingFacts } from './settings/SettingFacts.tsx'
import { sourceRows, withoutSecrets } from './sourceFacts.ts'
import { pipeThing } from './usePipe.ts'
import { useDeletePipe, usePipeCommand } from './usePipeCommand.ts'
import { commandReason, commandWords, kindWords, pipeName, scalingWords, stateLabel, stateTone } from './words.ts'

/** Everything about one pipe: where it reads, where it writes, how it does. */
export function PipeDetail({ pipe }: { pipe: Pipe }) {
  const connection = useConnection()
  const actions = useActions(pipe)
  const watched = useMemo(() => [pipe], [pipe])
  usePageActions(actions)
  return (
    <Page
      title={pipeName(pipe)}
      state={
        <>
          <StatusChip tone={stateTone(pipe.state)}>{stateLabel(pipe.state)}</StatusChip>
          <StatusChip tone="neutral">{kindWords(pipe)}</StatusChip>
        </>
      }
      lead={`Reads from ${kindWords(pipe)} into ${targetWords(pipe)}.`}
      actions={actions.map(({ label, icon: Icon, disabled, run, danger }) => (
        <Reasoned key={label} reason={disabled}>
          <Button
            onClick={run}
            disabled={disabled !== undefined}
            startIcon={Icon && <Icon size={14} aria-hidden />}
            {...(label === 'Scale' && { variant: 'contained', color: 'primary' })}
            sx={{ color: danger && disabled === undefined ? 'error.main' : undefined }}
          >
            {label}
          </Button>
        </Reasoned>
      ))}
    >
      <Box sx={{ display: 'flex', flexDirection: 'column', gap: 4 }}>
        {pipe.stateDetail && (
          <Notice tone={stateTone(pipe.state) === 'bad' ? 'error' : 'info'}>{sentence(pipe.stateDetail)}</Notice>
        )}
        <Box
          sx={{
            display: 'grid',
            gap: 4,
            alignItems: 'start',
            gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) minmax(0, 1fr)' },
          }}
        >
          <Box sx={{ display: 'flex', flexDirection: 'column', gap: 4, minWidth: 0 }}>
            <Panel title="Source">
              <Facts rows={sourceRows(pipe)} />
            </Panel>
            <Panel title="Destination">
              <DestinationFacts pipe={pipe} />
            </Panel>
            <PipeTables pipe={pipe} />
            <Panel title="Settings">
              <SettingFacts pipe={pipe} />
            </Panel>
            <Panel title="Record">
              <Facts
                rows={[
                  ['Scaling', scalingWords(pipeKind(pipe), pipe.scaling) || 'not reported'],
                  ['Id', <CopyId key="id" id={pipe.id} />],
                  ['Created', pipe.createdAt && <Moment key="created" iso={pipe.createdAt} />],
                  ['Updated', pipe.updatedAt && <Moment key="updated" iso={pipe.updatedAt} />],
                ]}
              />
            </Panel>
            <Panel title="Changed from this browser">
              <ChangeHistory thing={pipeThing(connection.id, pipe.id)} />
            </Panel>
          </Box>
          <LivePanels pipes={watched} />
        </Box>
        <Panel title="JSON" flush aside={<CurlButton pipe={pipe} />}>
          <JsonView text={stringifyJson(withoutSecrets(pipe), 2)} label="The pipe as JSON, secrets masked" />
        </Panel>
      </Box>
    </Page>
  )
}

function useActions(pipe: Pipe): PageAction[] {
  const connection = useConnection()
  const serviceId = useRouteParam('serviceId')
  const navigate = useNavigate()
  const { pending, give } = usePipeCommand()
  const remove = useDeletePipe()
  const locked = lockReason(connection)
  return useMemo(() => {
    const kind = pipeKind(pipe)
    const isDatabase = kind === null || pipeFamilies[kind] === 'database'
    const command = (one: PipeCommand, icon: typeof Play): PageAction => ({
      label: commandWords[one].label,
      icon,
      disabled: locked ?? commandReason(pipe, one) ?? (pending ? 'A request is under way.' : undefined),
      run: () => void give(pipe, one),
    })
    return [
      command('start', Play),
      command('stop', Square),
      ...(isDatabase ? [command('resync', RefreshCw)] : []),
      { label: 'Delete', icon: Trash2, danger: true, disabled: locked, run: () => void remove(pipe) },
      {
        label: 'Edit',
        icon: Pencil,
        key: 'e',
        disabled: locked,
        run: () => void navigate({ to: paths.editPipe(connection.id, serviceId, pipe.id) }),
      },
      {
        label: 'Settings',
        icon: Settings2,
        run: () => void navigate({ to: paths.pipeSettings(connection.id, serviceId, pipe.id) }),
      },
      {
        label: 'Scale',
        icon: Scaling,
        key: 's',
        run: () => void navigate({ to: paths.scalePipe(connection.id, serviceId, pipe.id) }),
      },
    ]
  }, [connection.id, give, locked, navigate, pending, pipe, remove, serviceId])
}

function CurlButton({ pipe }: { pipe: Pipe }) {
  const connection = useConnection()
  const serviceId = useRouteParam('serviceId')
  const command = () => curlOf(connection, pipes.get, { params: { serviceId, dataPipeId: pipe.id } }) ?? ''
  return <CopyButton text={command} label="Copy as cURL" />
}

function DestinationFacts({ pipe: { destination } }: { pipe: Pipe }) {
  const { engine, sortingKey, partitionBy, primaryKey } = destination?.tableDefinition ?? {}
  return (
    <Facts
      rows={[
        ['Database', destination?.database],
        ['Table', destination?.table],
        ['Table is made by the pipe', yesNo(destination?.managedTable)],
        ['Engine', engine?.type],
        ['Sorting key', sortingKey?.join(', ')],
        ['Partition by', partitionBy],
        ['Primary key', primaryKey],
      ]}
    />
  )
}

const yesNo = (value: boolean | null | undefined) => (value == null ? null : value ? 'yes' : 'no')

function targetWords({ destination, source }: Pipe): string {
  const tables = source?.postgres?.tableMappings?.length
  if (destination?.table) return `${destination.database ?? 'default'}.${destination.table}`
  const where = `the database ${destination?.database ?? 'default'}`
  return tables ? `${tables === 1 ? '1 table' : `${tables} tables`} of ${where}` : where
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
