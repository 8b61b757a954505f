//! Tallies of tiles one after another in a file, each with its hash.
//!
//! ```text
//! tile number (8 bytes) | length (8 bytes) | hash of the three other parts (32 bytes) | tally
//! ```

use std::io::{Read, Seek, SeekFrom, Write};

/// Bytes before a tally.
const HEAD: usize = 48;

/// Where a tally lies in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// where its frame begins
    pub at: u64,
    /// length of the tally
    pub len: u64,
}

impl Place {
    /// Length of the whole frame.
    pub fn frame_len(&self) -> u64 {
        HEAD as u64 + self.len
    }
}

/// A tally in its frame.
pub fn frame(tile: u64, tally: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(HEAD + tally.len());
    out.extend_from_slice(&tile.to_le_bytes());
    out.extend_from_slice(&(tally.len() as u64).to_le_bytes());
    out.extend_from_slice(hash(tile, tally).as_bytes());
    out.extend_from_slice(tally);
    out
}

fn hash(tile: u64, tally: &[u8]) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&tile.to_le_bytes());
    hasher.update(&(tally.len() as u64).to_le_bytes());
    hasher.update(tally);
    hasher.finalize()
}

/// The frames from `start` to the end of a file of `size` bytes, in order, without reading the tallies: tile and place. The second value is where
/// the last whole frame ends; what follows was cut off while it was written.
pub fn places<F: Read + Seek>(
    file: &mut F,
    start: u64,
    size: u64,
) -> std::io::Result<(Vec<(u64, Place)>, u64)> {
    let mut found = Vec::new();
    let mut at = start;
    let mut head = [0; 16];
    while size.saturating_sub(at) >= HEAD as u64 {
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(&mut head)?;
        let (tile, len) = (word(&head[..8]), word(&head[8..]));
        let end = (at + HEAD as u64).checked_add(len);
        let Some(end) = end.filter(|end| *end <= size) else {
            break;
        };
        found.push((tile, Place { at, len }));
        at = end;
    }
    Ok((found, at))
}

/// The tally at a place; `None` if its bytes are not those that were written.
pub fn read<F: Read + Seek>(file: &mut F, place: Place) -> std::io::Result<Option<Vec<u8>>> {
    file.seek(SeekFrom::Start(place.at))?;
    let mut head = [0; HEAD];
    file.read_exact(&mut head)?;
    let mut tally = Vec::new();
    file.take(place.len).read_to_end(&mut tally)?;
    let tile = word(&head[..8]);
    let whole = tally.len() as u64 == place.len && word(&head[8..16]) == place.len;
    Ok((whole && hash(tile, &tally).as_bytes()[..] == head[16..]).then_some(tally))
}

/// Frames by tile and place, and the places of those that are not what was written.
type Sorted = (Vec<(u64, Place)>, Vec<Place>);

/// Divides frames by whether they are what was written: a number of a tile that was changed is known by the hash alone.
pub fn sound<F: Read + Seek>(file: &mut F, places: &[(u64, Place)]) -> std::io::Result<Sorted> {
    let (mut sound, mut damaged) = (Vec::new(), Vec::new());
    for (tile, place) in places {
        match read(file, *place)? {
            Some(_) => sound.push((*tile, *place)),
            None => damaged.push(*place),
        }
    }
    Ok((sound, damaged))
}

/// Copies a frame as it stands.
pub fn copy<F: Read + Seek>(
    file: &mut F,
    place: Place,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    file.seek(SeekFrom::Start(place.at))?;
    std::io::copy(&mut file.take(place.frame_len()), out)?;
    Ok(())
}

fn word(bytes: &[u8]) -> u64 {
    (bytes.iter().rev()).fold(0, |word, byte| word << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn frames_are_found_and_read_and_a_cut_one_is_left_out() {
        let bytes = [
            b"head".to_vec(),
            frame(3, b"abc"),
            frame(7, b""),
            frame(3, b"later"),
        ]
        .concat();
        let mut file = Cursor::new(bytes.clone());
        let (found, end) = places(&mut file, 4, bytes.len() as u64).unwrap();
        assert_eq!(end, bytes.len() as u64);
        let tallies: Vec<_> = (found.iter())
            .map(|(tile, place)| (*tile, read(&mut file, *place).unwrap().unwrap()))
            .collect();
        assert_eq!(
            tallies,
            [(3, b"abc".to_vec()), (7, vec![]), (3, b"later".to_vec())]
        );
        for cut in 5..bytes.len() {
            let mut file = Cursor::new(bytes[..cut].to_vec());
            let (part, end) = places(&mut file, 4, cut as u64).unwrap();
            assert!(part.len() < found.len() && end <= cut as u64);
            assert_eq!(part[..], found[..part.len()]);
        }
    }

    #[test]
    fn a_changed_byte_is_noticed() {
        let bytes = frame(3, b"abc");
        for changed in 0..bytes.len() {
            let mut bytes = bytes.clone();
            bytes[changed] ^= 1;
            let size = bytes.len() as u64;
            let mut file = Cursor::new(bytes);
            let (found, _) = places(&mut file, 0, size).unwrap();
            if let [(_, place)] = found[..] {
                assert_eq!(read(&mut file, place).unwrap(), None, "{changed}");
            }
        }
    }
}
