import { BarChart, MapChart } from 'echarts/charts'
import { GeoComponent, GridComponent, TooltipComponent } from 'echarts/components'
import * as echarts from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'

echarts.use([BarChart, MapChart, GridComponent, GeoComponent, TooltipComponent, CanvasRenderer])

export { echarts }
