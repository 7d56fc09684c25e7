import { expect, test } from 'vitest';
import { isEnglish } from './english.ts';

test.each([
  'The given data was invalid',
  'Validation failed',
  'Unprocessable Content',
  'Unprocessable Entity',
  'The name field is required.',
  'Invalid input',
  'Bad Request',
  'Something went wrong.',
])('%s is English', (text) => expect(isEnglish(text)).toBe(true));

test.each([
  'De opgegeven gegevens waren ongeldig.',
  'Het request was ongeldig.',
  'Dit was geen geldige invoer: naam is verplicht.',
  'De data is invalid.',
  'Fout: theorie is geen naam',
  'Die angegebenen Daten waren ungültig.',
  'Das Feld Name ist ein Muss.',
  'Les données fournies étaient invalides.',
  'Le message de la requête est invalide.',
  'Los datos proporcionados no son válidos.',
  'El campo name es obligatorio.',
  'I dati forniti non sono validi.',
  'Os dados fornecidos são inválidos.',
  'Podane dane są nieprawidłowe.',
  'Angivna data är ogiltiga.',
  'Ungültige Eingabe',
  '入力が無効です。',
  'Données invalides',
  'Thé',
])('%s is not English', (text) => expect(isEnglish(text)).toBe(false));
