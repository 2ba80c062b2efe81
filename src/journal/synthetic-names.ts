/**
 * Names of synthetic users: frequent given names and surnames, in alphabetical order and in ASCII letters. A name is
 * never removed or added, because stored sandboxes contain only the numbers of their users.
 */

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

export const givenNames = words(`
  Aaron Abigail Adam Adele Adrian Agnes Aisha Alan Albert Alexander Alice Alina Amanda Amelia Amir Amy Andrea Andrew
  Angela Anita Anna Anton Arthur Astrid Barbara Beatrice Benjamin Bernard Bianca Boris Brian Bruno Camila Carla Carlos
  Caroline Catherine Cecilia Charles Charlotte Chen Christian Clara Claudia Colin Daniel Daria David Deborah Diana Diego
  Dominic Dorothy Edgar Edith Edward Elena Elias Elizabeth Emil Emily Emma Eric Esther Eugene Eva Fatima Felix Fiona
  Florence Frances Frank Gabriel George Gina Grace Gregory Hana Hannah Harold Hassan Heidi Helen Henry Hugo Ian Ibrahim
  Ida Igor Ines Irene Isabel Ivan Jacob James Jane Jasmine Javier Jennifer Joan John Jonas Joseph Judith Julia Karen Karl
  Keiko Kenneth Kevin Laura Lea Leo Liam Lina Linda Louis Lucia Lukas Magda Marco Maria Mark Martha Martin Mei Mia Michael
  Mila Mohammed Monica Nadia Naomi Nathan Nicholas Nina Noah Nora Olga Oliver Omar Oscar Pablo Patricia Paul Paula Peter
  Philip Priya Rachel Ravi Rebecca Richard Robert Rosa Ruth Samir Samuel Sara Sergio Silvia Simon Sofia Stefan Susan Tanja
  Teresa Theo Thomas Tomas Ursula Valentina Vera Victor Vincent Walter Wei William Xavier Yara Yasmin Yusuf Zara Zoe
`);

export const surnames = words(`
  Abbott Acosta Adams Ahmed Albrecht Ali Allen Alvarez Andersen Anderson Bailey Baker Banerjee Barnes Bauer Becker Bell
  Bennett Berg Bernard Bianchi Bishop Black Brooks Brown Bryant Burke Campbell Carlson Carter Castillo Chan Chavez Clark
  Cohen Cole Collins Cooper Costa Cruz Daniels Davies Davis Delgado Diaz Dubois Duncan Edwards Ellis Evans Farah Fernandez
  Ferrari Fischer Fisher Flores Foster Fox Franco Fuchs Garcia Gibson Gomez Gonzalez Gordon Graham Grant Gray Green Gupta
  Haas Hall Hansen Harris Hassan Hayes Henderson Hernandez Hill Hoffmann Holm Howard Huang Hughes Hunt Ibarra Ito Ivanov
  Jackson James Jansen Jensen Johnson Jones Kaiser Kaplan Keller Kelly Kim King Klein Knight Kowalski Kumar Lang Larsen Lee
  Lehmann Lewis Li Lin Lopez Lund Marino Marshall Martin Martinez Mason Mehta Meyer Miller Mitchell Moore Morales Moretti
  Morgan Morris Muller Murphy Murray Nakamura Nelson Nguyen Nielsen Novak Okafor Olsen Ortiz Owens Palmer Park Parker Patel
  Pereira Peters Petrov Phillips Popov Powell Price Quinn Ramirez Reed Reyes Richards Rivera Roberts Robinson Rojas Romano
  Rossi Russo Ryan Sanchez Santos Sato Schmidt Schneider Scott Shah Shaw Silva Simmons Singh Smith Sousa Stein Stewart Stone
  Suzuki Tanaka Taylor Thomas Thompson Torres Tran Turner Vargas Vega Wagner Walker Wang Ward Watson Weber White Williams
  Wilson Wolf Wood Wright Wu Yamamoto Yang Young Zhang Zimmermann
`);

/** Letters of middle initials. */
export const initials = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
