import type { Random } from './random.ts'

/** A holder. The surnames are things from a pharmacy's shelves: nobody is called like that. */
export interface Holder {
  first: string
  surnames: string
}

// biome-ignore format: one name a line would say no more
const FIRST_NAMES = [
  'Lucía', 'Martín', 'Nerea', 'Íñigo', 'Begoña', 'Álvaro', 'Carmen', 'Óscar', 'Inés', 'Jordi', 'Montserrat', 'Ramón',
  'Ainhoa', 'Andrés', 'Concepción', 'Darío', 'Elvira', 'Fermín', 'Gloria', 'Héctor', 'Irene', 'Julián', 'Leire', 'Núria',
]
// biome-ignore format: the same
const SURNAMES = [
  'Jarabe', 'Redoma', 'Mortero', 'Bálsamo', 'Tisana', 'Alambique', 'Ungüento', 'Cataplasma', 'Probeta', 'Píldora',
  'Botica', 'Espátula', 'Linimento', 'Elixir', 'Matraz', 'Gragea', 'Pomada', 'Tamiz', 'Esencia', 'Valeriana', 'Manzanilla',
  'Menta', 'Eucalipto', 'Balanza',
]

export function inventedHolder(random: Random): Holder {
  const [first, second] = [random.pick(SURNAMES), random.pick(SURNAMES)]
  return { first: random.pick(FIRST_NAMES), surnames: `${first} ${second}` }
}

/** Names a street could have anywhere; together with a number drawn by chance they are no real address. */
// biome-ignore format: the same
const STREETS = [
  'Abedul', 'Acebo', 'Almendro', 'Avellano', 'Castaño', 'Cerezo', 'Ciprés', 'Clavel', 'Enebro', 'Fresno', 'Geranio',
  'Girasol', 'Granado', 'Jazmín', 'Laurel', 'Limonero', 'Madroño', 'Manzano', 'Naranjo', 'Nogal', 'Olmo', 'Peral', 'Roble',
  'Romero', 'Rosal', 'Sauce', 'Tilo', 'Tomillo',
]

export function inventedStreet(random: Random): string {
  return random.pick(STREETS)
}
