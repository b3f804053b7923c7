import { paths } from '#console/paths.ts'
import { TextLink } from '#console/shell/LinkButton.tsx'
import { formatShort, formatValue } from '#console/ui/chart/units.ts'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Column } from '#console/ui/table/columns.ts'
import { pipeKind } from '#contract/pipeKinds.ts'
import type { PipeSample } from '#contract/pipeSamples.ts'
import { lastRate } from './metrics/series.ts'
import type { PipeRow } from './usePipes.ts'
import { kindOptions, kindWords, pipeName, scalingWords, stateLabel, stateOptions, stateTone } from './words.ts'

type Samples = ReadonlyMap<string, readonly PipeSample[]>

/** The columns of the list. Ids stand in addresses: do not rename them. */
export function pipeColumns(connectionId: string, samples: Samples): Column<PipeRow>[] {
  const rate = (pipe: PipeRow) => lastRate(samples.get(pipe.id) ?? [], ({ fetchedEvents }) => fetchedEvents)
  const last = (pipe: PipeRow) => samples.get(pipe.id)?.at(-1)
  return [
    {
      id: 'name',
      title: 'Name',
      grow: 1,
      width: 224,
      value: pipeName,
      cell: (pipe) => (
        <TextLink
          to={paths.pipe(connectionId, pipe.serviceId, pipe.id)}
          sx={{ color: 'text.primary', fontWeight: 550 }}
        >
          {pipeName(pipe)}
        </TextLink>
      ),
    },
    {
      id: 'state',
      title: 'State',
      width: 116,
      type: 'choice',
      options: stateOptions,
      value: (pipe) => pipe.state,
      cell: ({ state }) => <StatusChip tone={stateTone(state)}>{stateLabel(state)}</StatusChip>,
    },
    { id: 'kind', title: 'Reads from', width: 124, type: 'choice', options: kindOptions, value: kindWords },
    { id: 'service', title: 'Service', grow: 0.5, width: 130, value: (pipe) => pipe.serviceName },
    { id: 'scaling', title: 'Scaling', width: 130, value: (pipe) => scalingWords(pipeKind(pipe), pipe.scaling) },
    {
      id: 'throughput',
      title: 'Records/s',
      width: 96,
      type: 'number',
      value: rate,
      cell: (pipe) => {
        const value = rate(pipe)
        return value === null ? '' : formatShort(value)
      },
    },
    {
      id: 'lag',
      title: 'Latency',
      width: 96,
      type: 'number',
      value: (pipe) => last(pipe)?.latency,
      cell: (pipe) => {
        const { latency = null, sourceLag = null } = last(pipe) ?? {}
        if (latency !== null) return formatValue(latency, 'ms')
        return sourceLag === null ? '' : formatValue(sourceLag, 'MiB')
      },
    },
    { id: 'errors', title: 'Errors', width: 80, type: 'number', value: (pipe) => last(pipe)?.errors },
    { id: 'updated', title: 'Updated', width: 116, type: 'moment', value: (pipe) => pipe.updatedAt },
    { id: 'created', title: 'Created', width: 116, type: 'moment', hidden: true, value: (pipe) => pipe.createdAt },
    { id: 'id', title: 'Id', width: 290, hidden: true, value: (pipe) => pipe.id, cell: ({ id }) => <code>{id}</code> },
  ]
}
