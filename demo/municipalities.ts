/** A real municipality: its name as the register of its territory writes it, its centre and its postal codes. */
export interface Municipality {
  name: string
  latitude: number
  longitude: number
  /** the first of its postal codes and how many follow it */
  postalCode: string
  furtherPostalCodes: number
  province: string
  /** how many pharmacies it has, compared with the others */
  weight: number
}

type Line = readonly [
  name: string,
  latitude: number,
  longitude: number,
  postalCode: string,
  weight: number,
  further?: number,
]

function inProvince(province: string, lines: readonly Line[]): Municipality[] {
  return lines.map(([name, latitude, longitude, postalCode, weight, further]) => ({
    name,
    latitude,
    longitude,
    postalCode,
    furtherPostalCodes: further ?? 0,
    province,
    weight,
  }))
}

export const MADRID = inProvince('Madrid', [
  ['Madrid', 40.4168, -3.7038, '28001', 40, 54],
  ['Móstoles', 40.3223, -3.8649, '28931', 6, 7],
  ['Alcalá de Henares', 40.482, -3.3635, '28801', 6, 6],
  ['Fuenlabrada', 40.2842, -3.7942, '28941', 6, 6],
  ['Leganés', 40.3281, -3.7635, '28911', 6, 7],
  ['Getafe', 40.3083, -3.7327, '28901', 5, 8],
  ['Alcorcón', 40.3458, -3.8249, '28921', 5, 4],
  ['Torrejón de Ardoz', 40.455, -3.4698, '28850', 4],
  ['Parla', 40.2381, -3.7742, '28981', 4, 3],
  ['Alcobendas', 40.5375, -3.6372, '28100', 4],
  ['Las Rozas de Madrid', 40.4929, -3.8737, '28231', 3, 1],
  ['San Sebastián de los Reyes', 40.5489, -3.6266, '28701', 3, 2],
  ['Pozuelo de Alarcón', 40.4347, -3.814, '28223', 3, 1],
  ['Coslada', 40.4238, -3.5613, '28821', 3, 2],
  ['Rivas-Vaciamadrid', 40.356, -3.542, '28521', 3, 2],
  ['Valdemoro', 40.1908, -3.6742, '28341', 2, 2],
  ['Aranjuez', 40.0311, -3.6025, '28300', 2],
  ['Collado Villalba', 40.6335, -4.0047, '28400', 2],
  ['Colmenar Viejo', 40.659, -3.7676, '28770', 2],
  ['San Lorenzo de El Escorial', 40.5914, -4.1477, '28200', 1],
])

export const CATALONIA = [
  ...inProvince('Barcelona', [
    ['BARCELONA', 41.3874, 2.1686, '08001', 36, 41],
    ["L'HOSPITALET DE LLOBREGAT", 41.3597, 2.0997, '08901', 6, 6],
    ['BADALONA', 41.4469, 2.245, '08911', 5, 6],
    ['TERRASSA', 41.5632, 2.0089, '08221', 5, 7],
    ['SABADELL', 41.5463, 2.1086, '08201', 5, 7],
    ['MATARÓ', 41.5388, 2.4449, '08301', 3, 3],
    ['SANTA COLOMA DE GRAMENET', 41.4515, 2.208, '08921', 3, 3],
    ['CORNELLÀ DE LLOBREGAT', 41.3579, 2.0705, '08940', 2],
    ['SANT CUGAT DEL VALLÈS', 41.4727, 2.0866, '08172', 2, 2],
    ['MANRESA', 41.7289, 1.8286, '08241', 2, 2],
    ['VIC', 41.9304, 2.2546, '08500', 1],
  ]),
  ...inProvince('Girona', [
    ['GIRONA', 41.9794, 2.8214, '17001', 3, 6],
    ['FIGUERES', 42.2667, 2.9609, '17600', 1],
    ['BLANES', 41.6748, 2.7902, '17300', 1],
  ]),
  ...inProvince('Lleida', [
    ['LLEIDA', 41.6176, 0.62, '25001', 4, 7],
    ['TÀRREGA', 41.6468, 1.1396, '25300', 1],
  ]),
  ...inProvince('Tarragona', [
    ['TARRAGONA', 41.1189, 1.2445, '43001', 4, 7],
    ['REUS', 41.1561, 1.1069, '43201', 3, 5],
    ['TORTOSA', 40.8125, 0.5216, '43500', 1],
    ['VALLS', 41.2861, 1.2498, '43800', 1],
  ]),
]

export const BASQUE_COUNTRY = [
  ...inProvince('BIZKAIA', [
    ['BILBAO', 43.263, -2.935, '48001', 16, 14],
    ['BARAKALDO', 43.2956, -2.9973, '48901', 5, 2],
    ['GETXO', 43.344, -3.006, '48930', 4, 2],
    ['PORTUGALETE', 43.3206, -3.0208, '48920', 2],
    ['BASAURI', 43.237, -2.885, '48970', 2],
    ['DURANGO', 43.171, -2.633, '48200', 2],
    ['GERNIKA-LUMO', 43.317, -2.678, '48300', 1],
  ]),
  ...inProvince('ARABA', [
    ['VITORIA-GASTEIZ', 42.8467, -2.6716, '01001', 12, 14],
    ['LAUDIO / LLODIO', 43.143, -2.962, '01400', 1],
    ['AMURRIO', 43.052, -3.001, '01470', 1],
  ]),
  ...inProvince('GIPUZKOA', [
    ['DONOSTIA / SAN SEBASTIÁN', 43.3123, -1.9812, '20001', 10, 17],
    ['IRUN', 43.339, -1.789, '20301', 3, 4],
    ['ERRENTERIA', 43.312, -1.902, '20100', 2],
    ['EIBAR', 43.184, -2.472, '20600', 2],
    ['ZARAUTZ', 43.28, -2.17, '20800', 1],
    ['TOLOSA', 43.137, -2.078, '20400', 1],
    ['HERNANI', 43.266, -1.976, '20120', 1],
    ['ARRASATE/MONDRAGÓN', 43.065, -2.49, '20500', 1],
  ]),
]

export const MURCIA = inProvince('Murcia', [
  ['Murcia', 37.9922, -1.1307, '30001', 16, 11],
  ['Cartagena', 37.6157, -0.9913, '30201', 8, 4],
  ['Lorca', 37.671, -1.701, '30800', 4],
  ['Molina de Segura', 38.054, -1.213, '30500', 3],
  ['Alcantarilla', 37.969, -1.217, '30820', 2],
  ['Mazarrón', 37.599, -1.314, '30870', 2],
  ['Cieza', 38.239, -1.419, '30530', 2],
  ['Águilas', 37.412, -1.583, '30880', 2],
  ['Yecla', 38.614, -1.115, '30510', 2],
  ['Torre-Pacheco', 37.743, -0.954, '30700', 2],
  ['San Javier', 37.806, -0.845, '30730', 2],
  ['Totana', 37.769, -1.502, '30850', 1],
  ['Caravaca de la Cruz', 38.107, -1.86, '30400', 1],
  ['Jumilla', 38.479, -1.325, '30520', 1],
  ['San Pedro del Pinatar', 37.835, -0.796, '30740', 1],
  ['La Unión', 37.619, -0.878, '30360', 1],
])

export const NAVARRE = inProvince('Navarra', [
  ['Pamplona / Iruña', 42.8125, -1.6458, '31001', 14, 15],
  ['Tudela', 42.0617, -1.6067, '31500', 4],
  ['Barañáin / Barañain', 42.805, -1.678, '31010', 2],
  ['Burlada / Burlata', 42.826, -1.616, '31600', 2],
  ['Estella-Lizarra', 42.672, -2.032, '31200', 2],
  ['Zizur Mayor / Zizur Nagusia', 42.787, -1.692, '31180', 2],
  ['Tafalla', 42.528, -1.674, '31300', 2],
  ['Villava / Atarrabia', 42.831, -1.609, '31610', 1],
  ['Ansoáin / Antsoain', 42.835, -1.639, '31013', 1],
  ['Sangüesa / Zangoza', 42.575, -1.283, '31400', 1],
  ['Alsasua / Altsasu', 42.896, -2.168, '31800', 1],
  ['Corella', 42.114, -1.786, '31591', 1],
  ['Baztan', 43.143, -1.517, '31700', 1],
  ['Peralta / Azkoien', 42.337, -1.8, '31350', 1],
  ['Noáin / Noain', 42.764, -1.628, '31110', 1],
  ['Lodosa', 42.425, -2.078, '31580', 1],
])
