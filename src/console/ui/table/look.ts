import type { SxProps, Theme } from '@mui/material/styles'

/** The grid in the house's clothes: hairlines, quiet headers, no colours of its own. */
export const tableLook: SxProps<Theme> = {
  border: 0,
  minHeight: 0,
  flexGrow: 1,
  fontSize: 13,
  '--DataGrid-t-color-border-base': 'var(--sc-palette-divider)',
  '--DataGrid-t-header-background-base': 'var(--sc-palette-background-paper)',
  '--DataGrid-t-color-interactive-focus': 'var(--sc-palette-primary-main)',
  '& .MuiDataGrid-columnHeaderTitle': { fontWeight: 500, fontSize: 12, color: 'text.secondary' },
  '& .MuiDataGrid-cell': { display: 'flex', alignItems: 'center', px: 2.5 },
  '& .MuiDataGrid-columnHeader': { px: 2.5 },
  '& .MuiDataGrid-footerContainer': { minHeight: 36 },
  '& .MuiDataGrid-columnSeparator': { opacity: 0 },
  '& .MuiDataGrid-columnHeader:hover .MuiDataGrid-columnSeparator': { opacity: 1 },
}
